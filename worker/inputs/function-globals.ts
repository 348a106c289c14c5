/** What code in a flow reads of its run: `$input`, `$vars` and `$flow`. */
import type { ChatTurn } from '#contract/runs/events.ts'

/** What such code may read of its step. */
interface ReadableStep {
  identity: Record<'chatflowId' | 'sessionId' | 'chatId' | 'apiMessageId', string>
  input: { text: string; form?: Record<string, unknown> }
  state: Readonly<Record<string, unknown>>
  pastHistory: readonly ChatTurn[]
  runtimeHistory: readonly ChatTurn[]
  variables: Readonly<Record<string, string>>
}

/** Globals are copied into the sandbox, so only those that the code mentions are passed. */
export function flowGlobals(code: string, step: ReadableStep): Record<string, unknown> {
  const { input, variables } = step
  return {
    ...(code.includes('$input') && { $input: input.text }),
    ...(code.includes('$vars') && { $vars: varsGlobal(code, variables) }),
    ...(code.includes('$flow') && { $flow: flowGlobal(step) }),
  }
}

/** Returns a copy of all variables. Reading one that has no value throws, so those that the code mentions are read first. */
function varsGlobal(code: string, variables: ReadableStep['variables']): Record<string, string> {
  for (const name of Object.getOwnPropertyNames(variables)) if (code.includes(`$vars.${name}`)) void variables[name]
  return { ...variables }
}

function flowGlobal({ identity, input, state, pastHistory, runtimeHistory }: ReadableStep): Record<string, unknown> {
  const { chatflowId, sessionId, chatId, apiMessageId } = identity
  return {
    input: input.text,
    state,
    form: input.form,
    chatflowId,
    chatflowid: chatflowId,
    sessionId,
    chatId,
    apiMessageId,
    chatHistory: [...pastHistory, ...runtimeHistory],
  }
}

/** What code in a flow reads of its run: `$input`, `$vars` and `$flow`. */
import type { StepContext } from '../types.ts'

/** Globals are copied into the sandbox, so only those that the code mentions are passed. */
export function flowGlobals(code: string, context: StepContext): Record<string, unknown> {
  const { input, variables } = context
  return {
    ...(code.includes('$input') && { $input: input.text }),
    ...(code.includes('$vars') && { $vars: varsGlobal(code, variables) }),
    ...(code.includes('$flow') && { $flow: flowGlobal(context) }),
  }
}

/** Returns a copy of all variables. Reading one that has no value throws, so those that the code mentions are read first. */
function varsGlobal(code: string, variables: StepContext['variables']): Record<string, string> {
  for (const name of Object.getOwnPropertyNames(variables)) if (code.includes(`$vars.${name}`)) void variables[name]
  return { ...variables }
}

function flowGlobal({ identity, input, state, pastHistory, runtimeHistory }: StepContext): Record<string, unknown> {
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

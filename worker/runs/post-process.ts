/** The owner's code that a run's answer goes through before anybody gets it. */
import { errorMessage } from '#contract/errors.ts'
import type { RunEvent } from '#contract/runs/events.ts'
import type { RunOutcome } from '../engine/types.ts'
import type { Sandbox } from '../ports/types.ts'
import type { RunStart } from './run-start.ts'

interface PostProcessing {
  /** Passes on what a run says before its answer is known. */
  emit(event: RunEvent): void
  /** Returns the outcome with the text that the code returned. Code that fails fails the run. */
  finish(outcome: RunOutcome, sandbox: Sandbox): Promise<RunOutcome>
}

/** Returns undefined for flows without post-processing. */
export function startPostProcessing(start: RunStart, emit: (event: RunEvent) => void): PostProcessing | undefined {
  const { enabled, customFunction } = start.runContext.flow.settings.postProcessing
  if (!enabled || customFunction.trim() === '') return undefined
  return {
    emit(event) {
      if (event.event !== 'token' && event.event !== 'thinking') emit(event)
    },
    async finish(outcome, sandbox) {
      if (outcome.state === 'TERMINATED') return { ...outcome, text: '' }
      if (outcome.state !== 'FINISHED') return outcome
      try {
        const text = await process(customFunction, { start, outcome, sandbox })
        emit({ event: 'token', data: text })
        return { ...outcome, text }
      } catch (error) {
        return { ...outcome, state: 'ERROR', text: '', error: `Post-processing failed: ${errorMessage(error)}` }
      }
    },
  }
}

interface Processing {
  start: RunStart
  outcome: RunOutcome
  sandbox: Sandbox
}

async function process(code: string, { start, outcome, sandbox }: Processing): Promise<string> {
  const { chatId, sessionId, question, call, runContext } = start
  const $flow = {
    rawOutput: outcome.text,
    input: question,
    chatId,
    sessionId,
    chatflowId: runContext.flow.id,
    chatflowid: runContext.flow.id,
    apiMessageId: call.apiMessageId,
    state: outcome.flowState,
  }
  const { value } = await sandbox.run({ code, globals: { $flow, $input: question } })
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')
}

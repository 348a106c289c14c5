/** The answer to callers of chat flows, in Flowise's shape: text, sources and tools, without steps. */
import type { PredictionAnswer } from '#contract/predictions/predictions.ts'
import type { RunEvent, StepOutput, TraceItem, UsedTool } from '#contract/runs/events.ts'
import { outlineSources } from '#contract/runs/outline.ts'
import { safeSources } from '#contract/runs/sources.ts'
import type { Emit } from './sse.ts'

type ChatFields = Pick<PredictionAnswer, 'json' | 'sourceDocuments' | 'usedTools' | 'artifacts' | 'memoryType'>

/** Returns the fields of the last answer of a chat flow's run. @param seesAll false: tools are named only, and sources say only where they come from */
export function chatFields(trace: readonly TraceItem[], seesAll: boolean): ChatFields {
  const output: StepOutput = trace.findLast(({ data }) => data.output?.content !== undefined)?.data.output ?? {}
  const { json, sourceDocuments, usedTools, artifacts, memoryType } = output
  return {
    ...(json !== undefined && { json }),
    ...(Array.isArray(sourceDocuments) && {
      sourceDocuments: seesAll ? safeSources(sourceDocuments) : outlineSources(sourceDocuments),
    }),
    ...(usedTools && { usedTools: seesAll ? usedTools : usedTools.map(({ tool }: UsedTool) => ({ tool })) }),
    ...(artifacts && { artifacts }),
    ...(typeof memoryType === 'string' && { memoryType }),
  }
}

const OF_CHAT_FLOWS: ReadonlySet<RunEvent['event']> = new Set([
  'start',
  'token',
  'thinking',
  'sourceDocuments',
  'usedTools',
  'artifacts',
  'action',
  'metadata',
  'error',
  'end',
])

/** Parts of an answer. Flowise's widget drops those that come before `start`. */
const OF_ANSWERS: ReadonlySet<RunEvent['event']> = new Set([
  'token',
  'thinking',
  'sourceDocuments',
  'usedTools',
  'artifacts',
])

/** Passes on what clients of chat flows expect, with `start` before the first part of the answer. */
export function asChatEvents(emit: Emit, { withSteps }: { withSteps: boolean }): Emit {
  let hasStarted = false
  return (event) => {
    if (!withSteps && !OF_CHAT_FLOWS.has(event.event)) return
    if (OF_ANSWERS.has(event.event) && !hasStarted) {
      hasStarted = true
      emit({ event: 'start', data: event.event === 'token' ? event.data : '' })
    }
    emit(event)
  }
}

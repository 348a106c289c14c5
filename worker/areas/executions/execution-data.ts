/** The trace of a run as `executionData` has it: the last row of each path, with the run's long texts in their places. */
import { sql } from 'drizzle-orm'
import { byteLength } from '#db/long-text.ts'
import { executionSteps, executions, runTexts } from '#db/schema/index.ts'
import { restoreTexts, type StoredTexts } from '../../runs/records/run-texts.ts'
import type { storedLogs } from '../../runs/records/stored-log.ts'

type Statements = ReturnType<typeof storedLogs>

interface StoredLogs {
  steps: Awaited<Statements['steps']>
  texts: Awaited<Statements['texts']>
}

/** Returns a function that gives the trace of a run as JSON, from what the statements of `storedLogs` read. */
export function tracesOf({ steps, texts }: StoredLogs): (executionId: string) => string {
  const textsByRun = new Map<string, StoredTexts>()
  for (const { executionId, hash, text } of texts) {
    const ofRun = textsByRun.get(executionId) ?? new Map()
    textsByRun.set(executionId, ofRun.set(hash, text))
  }
  const lastByRun = new Map<string, Map<string, StoredLogs['steps'][number]>>()
  for (const step of steps) {
    const ofRun = lastByRun.get(step.executionId) ?? new Map()
    lastByRun.set(step.executionId, ofRun)
    // In the order of the last rows.
    ofRun.delete(step.path)
    ofRun.set(step.path, step)
  }
  return (executionId) => {
    const items = [...(lastByRun.get(executionId)?.values() ?? [])].map(
      ({ item, texts: refs, path, startedAt, finishedAt }) => ({
        ...{ path, startedAt, finishedAt },
        ...restoreTexts(item, refs, textsByRun.get(executionId) ?? new Map()),
      }),
    )
    return JSON.stringify(items)
  }
}

/** The length of what an export holds of an execution, about: with a text as often as its steps repeat it. */
export const exportedLength = sql<number>`(
  select coalesce(sum(${byteLength(sql`step.item`)} + coalesce((
    select sum(${byteLength(sql`stored.text`)}) from json_each(step.texts) ref
    cross join ${runTexts} stored on stored.execution_id = step.execution_id and stored.hash = ref.value
  ), 0)), 0) from ${executionSteps} step where step.execution_id = ${executions.id}
)`

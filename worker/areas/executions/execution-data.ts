/** The trace of a run as `executionData` has it: the last row of each path, with the run's long texts in their places. */
import { type SQL, sql } from 'drizzle-orm'
import { executionSteps, executions, runTexts } from '#db/schema/index.ts'
import { restoreTexts, type TextRefs } from '../../runs/records/run-texts.ts'

/**
 * Selects what `wholeTrace` reads, as one JSON text: items are stored as JSON and joined without parsing. For statements
 * that select from `executions`.
 */
export const storedTrace: SQL<string> = sql<string>`(
  select case when count(step.texts) = 0 then '[' || coalesce(group_concat(step.item, ','), '') || ']'
    else '{"items":[' || group_concat(step.item, ',') || '],"refs":[' || group_concat(coalesce(step.texts, 'null'), ',')
      || '],"texts":' || (
        select json_group_object(hash, text) from ${runTexts} where ${runTexts.executionId} = ${executions.id}
      ) || '}' end
  from (
    select max(seq) as last, texts,
      json_insert(item, '$.path', path, '$.startedAt', started_at, '$.finishedAt', finished_at) as item
    from ${executionSteps} where execution_id = ${executions.id} group by path order by last
  ) step
)`

interface Apart {
  items: object[]
  refs: (TextRefs | null)[]
  /** JSON of each text by its hash. */
  texts: Record<string, string>
}

/** Returns the trace as JSON from what `storedTrace` selected. */
export function wholeTrace(stored: string): string {
  if (stored.startsWith('[')) return stored
  const { items, refs, texts } = JSON.parse(stored) as Apart
  const byHash = new Map(Object.entries(texts))
  return JSON.stringify(items.map((item, index) => restoreTexts(item, refs[index] ?? null, byHash)))
}

/** The length of what an export holds of an execution, about: with a text as often as its steps repeat it. */
export const exportedLength = sql<number>`(
  select coalesce(sum(length(step.item) + coalesce((
    select sum(length(stored.text)) from json_each(step.texts) ref
    cross join ${runTexts} stored on stored.execution_id = step.execution_id and stored.hash = ref.value
  ), 0)), 0) from ${executionSteps} step where step.execution_id = ${executions.id}
)`

/** Executions without their steps, in the shape of the API. */
import { eq, type SQL, sql } from 'drizzle-orm'
import { EXCERPT_LENGTH, type ExecutionSummary } from '#contract/runs/executions.ts'
import type { Database } from '#db/client.ts'
import { withinRow } from '#db/long-answer.ts'
import { beginningOf, isReference, jsonIn } from '#db/long-text.ts'
import { chatflows, executionSteps, executions, runTexts, triggerDeliveries, triggers } from '#db/schema/index.ts'

export const columns = {
  id: executions.id,
  agentflowId: executions.agentflowId,
  agentflow: { id: chatflows.id, name: chatflows.name, type: chatflows.type },
  flowVersion: executions.flowVersion,
  sessionId: executions.sessionId,
  chatId: executions.chatId,
  state: executions.state,
  error: executions.error,
  endedBy: executions.endedBy,
  action: executions.action,
  isPublic: executions.isPublic,
  isStarred: executions.isStarred,
  replayOf: executions.replayOf,
  replayFrom: executions.replayFrom,
  parentExecutionId: executions.parentExecutionId,
  totalTokens: executions.totalTokens,
  totalCost: executions.totalCost,
  createdDate: executions.createdDate,
  workSeconds: executions.workSeconds,
  updatedDate: executions.updatedDate,
  stoppedDate: executions.stoppedDate,
  workspaceId: executions.workspaceId,
}

/** The beginning of a text that is kept in parts: a JSON string, which is closed where that cuts no escape. */
const beginning = sql`(
  select coalesce(
    (select cut.text ->> '$' from (
      select substr(found.text, 1, length(found.text) - value) || '"' as text from json_each('[0,1,2,3,4,5,6]')
    ) cut where json_valid(cut.text) limit 1),
    ltrim(found.text, '"')
  ) from (select ${beginningOf(runTexts.text)} as text) found
)`

/** A long text of the run from which `executions` selects; its beginning when it is kept in parts. @param ref its hash; null: there is none */
const textOf = (ref: SQL) => sql`(
  select case when ${isReference(runTexts.text)} then ${beginning} else ${runTexts.text} ->> '$' end
  from ${runTexts} where ${runTexts.executionId} = ${executions.id} and ${runTexts.hash} = ${ref}
)`

const refAt = (pointer: string) => sql`${executions.inputTexts} ->> ${`$."${pointer}"`}`
const ownQuestion = sql`trim(${executions.input} ->> '$.question')`

/** That of the question of a run, else of its form or the body of its request. */
const questionRef = sql<string | null>`coalesce(${refAt('/question')}, case when coalesce(${ownQuestion}, '') = ''
  then coalesce(${refAt('/form')}, case when ${executions.input} -> '$.form' is null then ${refAt('/webhook/body')} end)
end)`
const contentRef = sql<string | null>`${executionSteps.texts} ->> '$."/data/output/content"'`

/** The question of a run, else its form or the body of its request. */
export const question = sql<string | null>`cast(coalesce(
  nullif(trim(${textOf(questionRef)}), ''), nullif(${ownQuestion}, ''), ${executions.input} ->> '$.form', ${executions.input} ->> '$.webhook.body'
) as text)`

const ofLastAnswer = (value: SQL) => sql`(
  select ${value} from ${executionSteps}
  where ${executionSteps.executionId} = ${executions.id}
    and coalesce(${contentRef}, ${jsonIn(executionSteps.item, '$.data.output.content')}) is not null
  order by ${executionSteps.seq} desc limit 1
)`

/** The output of the last step that has one. The answer in the chat may hold values of variables that a trace hides. */
export const answer = sql<string | null>`cast(${ofLastAnswer(
  sql`coalesce(${textOf(contentRef)}, ${jsonIn(executionSteps.item, '$.data.output.content')})`,
)} as text)`

/** The hashes of both where they are texts of the run. */
export const longSummary = { questionRef, answerRef: sql<string | null>`${ofLastAnswer(contentRef)}` }

/** JSON of the trigger that started the run. */
export const trigger = sql<string | null>`(
  select json_object('id', ${triggers.id}, 'name', ${triggers.name}) from ${triggerDeliveries}
  inner join ${triggers} on ${triggers.id} = ${triggerDeliveries.triggerId}
  where ${triggerDeliveries.executionId} = ${executions.id} and ${triggerDeliveries.workspaceId} = ${executions.workspaceId}
  limit 1
)`

export const chatType = sql<ExecutionSummary['chatType']>`coalesce(${executions.input} ->> '$.chatType', 'EXTERNAL')`

/** The beginning of a run's question, for lists. */
export const questionExcerpt = sql<string | null>`substr(${question}, 1, ${EXCERPT_LENGTH})`

const excerpt = (text: SQL<string | null>) => sql<string | null>`substr(${text}, 1, ${EXCERPT_LENGTH})`

/** The columns that a list selects from `executions` and `chatflows`. */
export const summary = () => ({
  ...{ ...columns, action: withinRow(executions.action, MAX_LISTED), question: questionExcerpt },
  ...{ answer: excerpt(answer), chatType, trigger },
})

/** Runs of a page. */
const MAX_LISTED = 100

export const summaries = (db: Database) =>
  db.select(summary()).from(executions).innerJoin(chatflows, eq(chatflows.id, executions.agentflowId))

type Row = Awaited<ReturnType<typeof summaries>>[number]

export function summaryOf({ workSeconds, trigger, ...row }: Row): ExecutionSummary {
  const duration = row.state === 'INPROGRESS' ? null : Math.round(workSeconds * 1000)
  return { ...row, duration, trigger: trigger === null ? null : JSON.parse(trigger) }
}

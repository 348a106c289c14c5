/** Reads the decisions of people from the logs of runs. */
import { type SQL, sql } from 'drizzle-orm'
import type { Approval } from '#contract/runs/approvals.ts'
import { jsonIn } from '#db/long-text.ts'
import { executionSteps, executions } from '#db/schema/index.ts'

/** Selects a run's answered questions as a JSON list, oldest first. For statements that select from `executions`. */
export const approvalsJson: SQL<string> = sql<string>`(
  select json_group_array(json_object(
    'path', answered.path,
    'nodeLabel', answered.item ->> '$.nodeLabel',
    'mapping', answered.item -> '$.data.output.humanInputAction.mapping',
    'toolCalls', answered.item -> '$.data.output.humanInputAction.data.input.toolCalls',
    'answer', answered.item -> '$.data.answer',
    'at', answered.finished_at
  ))
  from (
    select path, item, finished_at from ${executionSteps}
    where ${executionSteps.executionId} = ${executions.id} and ${executionSteps.takenOutputs} is null
      and ${jsonIn(executionSteps.item, '$.data.answer.type')} is not null
    order by ${executionSteps.seq}
  ) answered
)`

/** Parses what `approvalsJson` selected. Leaves out rows of imported runs that lack the question. */
export const parseApprovals = (text: string): Approval[] =>
  (JSON.parse(text) as Approval[]).filter(({ mapping }) => mapping !== null)

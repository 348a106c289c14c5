/** Fills a database with what years of use leave: runs with their steps and messages, flows, triggers and deliveries. */
import Database from 'libsql'
import { chain, directReply, start } from '../support/flows.ts'

export interface Scale {
  executions: number
  flows: number
}

/** One flow has half of all runs. */
export const BUSY_FLOW = '00000000-0000-4000-8000-000000000000'
const MESSAGE = 'The warp is ready, and the shuttle carries the weft from one side to the other.'
const FLOW = JSON.stringify(chain(start(), directReply(MESSAGE)))

const NUMBERS = 'with recursive n(i) as (values (0) union all select i + 1 from n where i + 1 < :count)'
/** Runs are five seconds apart; four of them make a session. */
const DATE = `strftime('%Y-%m-%dT%H:%M:%fZ', :end, '-' || (5 * (:count - i)) || ' seconds')`
const flowId = (number: string) => `printf('00000000-0000-4000-8000-%012d', ${number})`
const FLOW_OF_RUN = flowId('case when i % 2 then 0 else i / 2 % :flows end')
const SESSION = `printf('session-%08d', i / 4)`
const RUN = `printf('run-%08d', i)`
const triggerId = (number: string) => `printf('trigger-%06d', ${number})`

const STATEMENTS = {
  flows: `insert into chatflows (id, workspace_id, name, flow_data, type, created_date, updated_date) ${NUMBERS}
    select ${flowId('i')}, :workspace, 'Answers for team ' || i, :flow, 'AGENTFLOW', ${DATE}, ${DATE} from n`,
  triggers: `insert into triggers
      (id, workspace_id, flow_id, name, kind, settings, operations, state, next_due, created_date, updated_date) ${NUMBERS}
    select ${triggerId('i')}, :workspace, ${flowId('i')}, 'Nightly ' || i, 'schedule',
      '{"kind":"schedule","cron":"0 3 1 1 *","timezone":"UTC","endDate":null,"overlap":"skip","missed":"skip","jitterSeconds":0,"input":{"mode":"none"}}',
      '{"retries":0,"retryWaitSeconds":60,"pauseAfter":5,"perMinute":null,"keepDays":3650,"alertUrl":null,"alertEmail":null}',
      'active', '2999-01-01T03:00:00.000Z', ${DATE}, ${DATE} from n`,
  deliveries: `insert into trigger_deliveries (id, workspace_id, trigger_id, flow_id, source, state, due_date,
      started_date, finished_date, attempts, execution_id, duration) ${NUMBERS}
    select printf('delivery-%08d', i), :workspace, ${triggerId('i % :triggers')}, ${flowId('i % :triggers')},
      'schedule', case when i % 50 then 'succeeded' else 'skipped' end, ${DATE}, ${DATE}, ${DATE}, 1, ${RUN}, 40 + i % 60
    from n`,
  executions: `insert into executions (id, workspace_id, agentflow_id, flow_version, session_id, chat_id, state, input,
      error, is_starred, work_seconds, total_tokens, created_date, updated_date) ${NUMBERS}
    select ${RUN}, :workspace, ${FLOW_OF_RUN}, 1, ${SESSION}, ${SESSION},
      case when i % 100 = 0 then 'ERROR' when i % 1000 = 1 then 'STOPPED' else 'FINISHED' end,
      json_object('question', 'How do I set up loom ' || i || '?', 'chatType', 'EXTERNAL'),
      case when i % 100 = 0 then 'The model did not answer' end, i % 1000 = 7, 0.04, 120, ${DATE}, ${DATE}
    from n`,
  steps: `insert into execution_steps (execution_id, seq, path, node_id, item, started_at, finished_at) ${NUMBERS}
    select ${RUN}, seq, node, node,
      json_object('nodeId', node, 'status', 'FINISHED', 'data', json_object('id', node, 'output', json_object('content', :message))),
      ${DATE}, ${DATE}
    from n, (select 0 as seq, 'startAgentflow_0' as node union all select 1, 'directReplyAgentflow_0')`,
  messages: `insert into chat_messages
      (id, workspace_id, chatflowid, role, content, execution_id, chat_type, chat_id, session_id, created_date) ${NUMBERS}
    select ${RUN} || role, :workspace, ${FLOW_OF_RUN}, role, :message, ${RUN}, 'EXTERNAL', ${SESSION}, ${SESSION}, ${DATE}
    from n, (select 'userMessage' as role union all select 'apiMessage')`,
}

/** Fills the only workspace of the database, in one transaction. */
export function fillDatabase(file: string, { executions, flows }: Scale): void {
  const database = new Database(file)
  database.exec('pragma foreign_keys = off; pragma cache_size = -1000000')
  const { id: workspace } = database.prepare('select id from workspaces').get([]) as { id: string }
  const triggers = Math.ceil(flows / 10)
  const counts = { flows, triggers, deliveries: triggers * 20, executions, steps: executions, messages: executions }
  const all = { workspace, flows, triggers, end: new Date().toISOString(), flow: FLOW, message: MESSAGE }
  database.exec('begin')
  for (const [table, statement] of Object.entries(STATEMENTS)) {
    const count = counts[table as keyof typeof STATEMENTS]
    database.prepare(statement).run({ ...all, count })
  }
  database.exec('commit')
  database.exec('pragma wal_checkpoint(truncate)')
  database.close()
}

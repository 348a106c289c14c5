/** No statement of the calls that everybody makes reads a whole table, or sorts what an index could have in order. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import type { Database } from '#db/client.ts'
import { type LibsqlServer, startLibsqlServer } from '#db/local/server.ts'
import { openUnscopedDatabase } from '#db/testing/unscoped-database.ts'
import { chain, directReply, edge, node, start } from '../../e2e/support/flows.ts'
import { migrateDatabase } from './migrate.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from './testing/heddle.ts'

let recorder: Recorder
let heddle: TestHeddle
let ann: TestClient
/** The same tables. SQLite would not commit on a connection that has just explained a write. */
let folder: string
let tables: LibsqlServer
let explained: Database

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-plans-'))
  tables = await startLibsqlServer({ file: join(folder, 'test.db') })
  await migrateDatabase(tables)
  explained = openUnscopedDatabase(tables.url, tables.authToken)
  recorder = await startRecorder()
  heddle = await startTestHeddle({ bindings: { LIBSQL_URL: recorder.url } })
  recorder.target = heddle.databaseUrl
  ann = await heddle.signUp()
})
afterAll(async () => {
  await heddle.close()
  recorder.close()
  await tables.close()
  rmSync(folder, { recursive: true })
})

interface Recorder {
  url: string
  /** The server that answers. */
  target: string
  /** The texts of all statements that came through since the last call of `forget`. */
  texts: Set<string>
  close(): void
}

/** Stands between the worker and its database. */
async function startRecorder(): Promise<Recorder> {
  const texts = new Set<string>()
  const server: Server = createServer(async (incoming, response) => {
    const body = await text(incoming)
    for (const [, found] of body.matchAll(/"sql":("(?:[^"\\]|\\.)*")/g)) texts.add(JSON.parse(found as string))
    const { method, headers, url = '' } = incoming
    const passed = request(recorder.target + url, { method, headers }, (answer: IncomingMessage) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    passed.end(body)
  })
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const recorder: Recorder = {
    url,
    target: '',
    texts,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return recorder
}

async function call<Body>(method: string, path: string, json?: object): Promise<Body> {
  const response = await ann.fetch(`/api/v1${path}`, { method, json })
  expect(response.status, `${method} ${path}`).toBeLessThan(300)
  return response.json()
}

const schedule = { kind: 'schedule', cron: '* * * * *', input: { mode: 'text', text: 'Go' } }

/** The calls by what people do, with what they need before. */
const hot: Record<string, () => Promise<() => Promise<unknown>>> = {
  async 'a prediction and the next one of its session'() {
    const { id } = await save()
    const { apiKey } = await call<{ apiKey: string }>('POST', '/apikey', {
      keyName: 'k',
      permissions: ['agentflows:view'],
    })
    return async () => {
      for (const question of ['One?', 'Two? '.repeat(300)]) {
        const response = await heddle.fetch(`/api/v1/prediction/${id}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
          body: JSON.stringify({ question, chatId: 'c' }),
        })
        expect(response.status).toBe(200)
      }
      await call('POST', `/internal-prediction/${id}`, { question: 'Three?', chatId: 'c' })
    }
  },
  async 'the lists'() {
    const { id } = await save()
    return async () => {
      for (const path of [
        '/executions?page=1&limit=20',
        `/executions?page=1&limit=20&agentflowId=${id}`,
        '/executions?page=2&limit=20&sessionId=s',
        '/executions?page=1&limit=20&state=STOPPED',
        '/executions?page=1&limit=20&isStarred=true',
        '/executions?page=1&limit=20&parentExecutionId=p',
        '/executions?page=1&limit=20&replayOf=r',
        '/executions?page=1&limit=20&startDate=2026-01-01T00:00:00.000Z',
        '/chatflows?type=AGENTFLOW&page=1&limit=20',
        '/chatflows?type=AGENTFLOW',
        '/chatflows-list?type=AGENTFLOW',
        '/chatflows-list?runnable=true&page=2',
        '/credentials',
        '/variables?page=1&limit=20',
        '/apikey?page=1&limit=20',
        '/triggers?page=1&limit=20',
        '/trigger-deliveries?page=1&limit=20',
        `/internal-chatmessage/${id}?chatId=c`,
      ]) {
        await call('GET', path)
      }
    }
  },
  async 'the messages page of a flow'() {
    const { id } = await save()
    const json = { chatflowId: id }
    return async () => {
      await call('GET', `/chatmessage/${id}/sessions?page=2&limit=25`)
      await call('GET', `/chatmessage/${id}?sessionId=s&order=DESC&limit=100`)
      await call('GET', `/stats/${id}`)
      await call('POST', '/export-import/chatflow-messages', json)
    }
  },
  async 'the home page and a search'() {
    await save()
    return async () => {
      await call('GET', '/home')
      await call('GET', '/search?q=flow')
    }
  },
  async 'the searches'() {
    await save()
    return async () => {
      await call('GET', '/executions?page=1&limit=20&agentflowName=Flow')
      await call('GET', '/chatflows?type=AGENTFLOW&page=1&limit=20&search=Flow')
      await call('GET', '/chatflows-list?type=AGENTFLOW&search=Flow')
    }
  },
  async 'a run with a long question: its page, its replay, its answer and its export'() {
    const [begin, ask, reply] = [start(), node('humanInputAgentflow', 0), directReply('Hello')]
    const { id } = await save({ nodes: [begin, ask, reply], edges: [edge(begin, ask), edge(ask, reply, 0)] })
    const question = 'Why? '.repeat(300)
    return async () => {
      const { executionId } = await call<{ executionId: string }>('POST', `/internal-prediction/${id}`, { question })
      await call('POST', `/internal-prediction/${id}`, { humanInput: { type: 'proceed', executionId } })
      await call('GET', `/executions/${executionId}`)
      await call('POST', `/executions/${executionId}/replay`, { path: ask.id })
      await call('POST', '/export-import/export', { execution: true })
    }
  },
  async 'stopping, starring and deleting runs'() {
    const { id } = await save()
    const { executionId } = await call<{ executionId: string }>('POST', `/internal-prediction/${id}`, {
      question: 'Go',
    })
    return async () => {
      await call('PUT', `/chatmessage/abort/${id}/c`)
      await call('PUT', `/executions/${executionId}`, { isStarred: true })
      await call('DELETE', '/executions', { executionIds: Array.from({ length: 30 }, (_, run) => `run ${run}`) })
    }
  },
  async 'the minute job'() {
    const { id: flowId } = await save()
    await call('POST', '/triggers', { flowId, name: 'Minutely', settings: schedule })
    return async () => {
      await heddle.scheduled(new Date(Date.now() + 120_000))
      // Once an hour it looks for texts without a row.
      await heddle.scheduled(new Date(new Date(Date.now() + 120_000).setUTCMinutes(23)))
    }
  },
}

const save = (flow: FlowDocument = chain(start(), directReply('Hello'))) =>
  call<{ id: string }>('POST', '/chatflows', { name: 'Flow', type: 'AGENTFLOW', flowData: JSON.stringify(flow) })

/** Scans, sorts, and ways along which every run of a workspace or of a state lies. */
const LONG_WAYS = /^SCAN|TEMP B-TREE|^SEARCH executions USING.* INDEX \w+ \((workspace_id|state)=\?\)/

/** What needs no index, and why. */
const HARMLESS: [detail: RegExp, statement: RegExp][] = [
  // Goes along as far as the page needs, and counts so far.
  [/executions_(workspace|starred) \(workspace_id=\?\)/, /limit \?/],
  [/COVERING INDEX \w+ \(workspace_id=\?\)/, /^select count\(\*\) from \(select 1 from "executions" .* limit \?\)$/],
  // A value, a list that was sent along, rows that were found before.
  [/^SCAN (CONSTANT ROW|\d+ CONSTANT ROWS|\(subquery-\d+\)|\w+ VIRTUAL TABLE INDEX|family|found)/, /./],
  // Sorts only rows that are equal in everything before: of one moment.
  [/TEMP B-TREE FOR RIGHT PART OF ORDER BY/, /./],
  // Sorts lost runs by workspace, so that none waits for another's: found by state, few or none.
  [/TEMP B-TREE/, /row_number\(\) over \(partition by "workspace_id"/],
  // Sorts open deliveries, found by state: those that are due now.
  [/TEMP B-TREE/, /"trigger_deliveries"\."state" = \?/],
  // Sorts what it found by name: flows by their last run, the newest runs of as many as the page needs, one page of flows.
  [/^SCAN (flow|latest)|TEMP B-TREE/, /with flow\(id\) as materialized/],
  [/^SCAN match|TEMP B-TREE/, /with match\("row"\) as materialized/],
  // Sorts one page of messages, found in order.
  [/^SCAN page|TEMP B-TREE/, /from \(select "chat_messages"\.rowid as "row" .* "page" inner join "chat_messages"/],
  // Sorts one page of an export: its runs, their steps, their texts.
  [/TEMP B-TREE FOR ORDER BY/, /"executions"\.rowid in \(select value/],
  // Counts the paths of one run, and reads the steps that a person answered.
  [/TEMP B-TREE FOR count\(DISTINCT\)/, /count\(distinct "execution_steps"\."path"\)/],
  [/^SCAN answered/, /\) answered\s/],
  // Sorts one workspace's variables, which people name by hand.
  [/TEMP B-TREE/, /from "variables"/],
  // Sorts the sessions of one flow, found in an index alone, and the contacts of one page of them.
  [/TEMP B-TREE|^SCAN session/, /with found\(session_id/],
  // Counts the sessions of one flow.
  [/TEMP B-TREE FOR count\(DISTINCT\)/, /count\(distinct "chat_messages"\."session_id"\)/],
  // Takes the first rows of a table that is emptied once.
  [/^SCAN (unindexed_flows|oldest)/, /from "unindexed_flows"/],
  // Ranks the durations of one page's triggers, of a week.
  [/^SCAN ranked|TEMP B-TREE/, /cume_dist\(\)/],
  // Looks once at each trigger, which says how long its deliveries are kept.
  [/^SCAN keeper/, /delete from "trigger_deliveries"/],
  // Looks once at each workspace, which says how long its runs and messages are kept.
  [/^SCAN keeper/, /from "workspaces" keeper/],
  // Looks once an hour at each long text.
  [/^SCAN stored/, /delete from "long_texts"/],
]

async function complaintsOf(statement: string, harmless = HARMLESS): Promise<string[]> {
  const plan = await explained.all<{ detail: string }>(sql.raw(`explain query plan ${statement}`))
  return plan
    .map(({ detail }) => detail)
    .filter((detail) => LONG_WAYS.test(detail))
    .filter((detail) => !harmless.some(([known, where]) => known.test(detail) && where.test(statement)))
    .map((detail) => `${detail} | ${statement.slice(0, 300)}`)
}

it.each(Object.entries(hot))('%s: no scan and no temporary b-tree', async (_, prepare) => {
  const work = await prepare()
  recorder.texts.clear()
  await work()
  const statements = [...recorder.texts].filter((statement) =>
    /^\s*(select|insert|update|delete|with)/i.test(statement),
  )
  expect(statements.length).toBeGreaterThan(2)
  const complaints = (await Promise.all(statements.map((statement) => complaintsOf(statement)))).flat()
  expect(complaints).toEqual([])
})

it('the sessions of a flow are found in an index alone', async () => {
  const { id } = await save()
  recorder.texts.clear()
  await call('GET', `/chatmessage/${id}/sessions`)
  const pages = [...recorder.texts].filter((statement) => statement.includes('with found(session_id'))
  expect(pages).toHaveLength(1)
  const plan = await explained.all<{ detail: string }>(sql.raw(`explain query plan ${pages[0]}`))
  const [found] = plan.filter(({ detail }) => detail.includes('chat_messages'))
  expect(found?.detail).toBe('SEARCH chat_messages USING COVERING INDEX chat_messages_session (chatflowid=?)')
})

/** What a search index reads as a whole, and why. */
const WHOLE_SEARCH_INDEX: [detail: RegExp, statement: RegExp][] = [
  // Compares the question with each vector: a search index of few is searched so.
  [/./, /vector_distance_cos/],
  // A thousand entries in each unit, taken by their ids.
  [/^SCAN next$/, /as strays/],
  [/^SCAN shelf_\w+_vectors/, /^delete from "shelf_\w+_vectors" where id in/],
  // Takes the last vectors by their row id, as many as an answer shows.
  [/^SCAN shelf_\w+_vectors/, /select hash from "shelf_\w+_vectors" order by id desc limit \?/],
  // Takes the first of those that have no vector, which an index of their own holds.
  [/^SCAN shelf_\w+_missing|INDEX shelf_\w+_missing$/, /limit \?$/],
  // Chunks of the hits that a search has found before.
  [/^SCAN hit/, /./],
]

it('a document store is read, embedded and searched by the indexes of its search index', async () => {
  recorder.texts.clear()
  const { id: storeId } = await call<{ id: string }>('POST', '/document-store/store', {
    name: 'Plans',
    description: '',
  })
  const { id: loaderId } = await call<{ id: string }>('POST', '/document-store/loader/save', {
    ...{ storeId, loaderId: 'plainText', loaderConfig: { text: 'Green tea\n\nBlack tea' } },
    ...{ splitterId: 'characterTextSplitter', splitterConfig: { separator: '\n\n', chunkSize: 10, chunkOverlap: 0 } },
  })
  await call('POST', `/document-store/loader/process/${loaderId}`, {})
  await call('POST', '/document-store/vectorstore/insert', { storeId, embeddingName: 'practiceEmbeddings' })
  for (const mode of ['keyword', 'vector', 'hybrid']) {
    await call('POST', '/document-store/vectorstore/query', { storeId, query: 'green tea', inputs: { mode } })
  }
  await call('POST', '/document-store/vectorstore/query', {
    ...{ storeId, query: 'tea', inputs: { mode: 'hybrid', filter: { source: 'a' } } },
  })
  await call('DELETE', `/document-store/loader/${storeId}/${loaderId}`)
  const ofSearchIndex = [...recorder.texts].filter((statement) => statement.includes('shelf_'))
  for (const statement of ofSearchIndex) if (/^\s*create/i.test(statement)) await explained.run(sql.raw(statement))
  const asked = ofSearchIndex.filter((statement) => /^\s*(select|insert|update|delete|with)/i.test(statement))
  expect(asked.length).toBeGreaterThan(5)
  const harmless = [...HARMLESS, ...WHOLE_SEARCH_INDEX]
  const complaints = (await Promise.all(asked.map((statement) => complaintsOf(statement, harmless)))).flat()
  expect(complaints).toEqual([])
})

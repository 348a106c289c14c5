// @defends call-crashes-returns
/**
 * Calls every route as anonymous callers, members and keys do, with what its description allows and with what it does
 * not.
 */
import { eq } from 'drizzle-orm'
import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { allPermissions } from '#contract/access/index.ts'
import { chatflows, flowVersions, workspaces } from '#db/schema/index.ts'
import { byDepth } from '#worker/local/testing/depth.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { joinWorkspace, putKey, userOf } from '../../http/testing/people.ts'
import { SEED_ID, SEED_MARK, seedWorkspace } from '../../http/testing/seed.ts'
import { createCipher } from '../../ports/cipher.ts'
import { areas } from '../index.ts'
import { describeApi } from './document.ts'
import { createJudge } from './testing/answers.ts'
import { type Call, type CallerName, callsOf, operationsOf } from './testing/calls.ts'

/** `npm run fuzz` sets them: how many calls in all, and where their drawing begins. */
const CALLS = Number(process.env.FUZZ_CALLS ?? byDepth(5_000, 50_000))
const SEED = Number(process.env.FUZZ_SEED ?? 1)

const MASTER_KEY = 'the-master-key-of-this-test-is-43-chars-lon'

const document = describeApi(areas)
const judge = createJudge(document)
/** Signing out comes last: it ends a session that the others need. */
const operations = operationsOf(document).toSorted(
  (a, b) => Number(a.path === '/account/logout') - Number(b.path === '/account/logout'),
)
const runs = Math.ceil(CALLS / operations.length)
/** Calls that change rows find them whole again after so many. */
const CALLS_PER_SEED = 20

/** A flow that answers. */
const FLOW = JSON.stringify({
  nodes: [
    node('startAgentflow_0', 'startAgentflow', { startInputType: 'chatInput' }),
    node('directReplyAgentflow_0', 'directReplyAgentflow', { directReplyMessage: SEED_MARK }),
  ],
  edges: [
    {
      id: 'edge',
      source: 'startAgentflow_0',
      target: 'directReplyAgentflow_0',
      sourceHandle: 'startAgentflow_0-output-startAgentflow',
      targetHandle: 'directReplyAgentflow_0',
      type: 'agentFlow',
    },
  ],
})

function node(id: string, name: string, inputs: object) {
  return { id, type: 'agentFlow', position: { x: 0, y: 0 }, data: { id, name, label: name, inputs } }
}

type Send = (call: Call) => Promise<Response>

let heddle: TestHeddle
let callers: Record<CallerName, Send>
let workspaceId: string
let sealed: string
let owner: TestClient
let keys: { whole: string; empty: string }

beforeAll(async () => {
  console.log(`${CALLS} calls of ${operations.length} operations, seed ${SEED}`)
  heddle = await startTestHeddle({ platformType: 'cloud', bindings: { MASTER_KEY } })
  owner = await heddle.signUp()
  const [member, otherOwner] = [await heddle.signUp(), await heddle.signUp()]
  workspaceId = (await userOf(owner)).activeWorkspaceId
  const [row] = await heddle.database.select().from(workspaces).where(eq(workspaces.id, workspaceId))
  sealed = await createCipher(MASTER_KEY).encrypt(row?.wrappedKey ?? '', { apiKey: SEED_MARK })
  await (await joinWorkspace(heddle, member, owner)).setPermissions(['chatflows:view', 'agentflows:view'])
  callers = {
    anonymous: (call) => sendAs(heddle.newClient(), call),
    owner: (call) => sendAs(owner, call),
    member: (call) => sendAs(member, call),
    otherOwner: (call) => sendAs(otherOwner, call),
    key: (call) => sendWith(keys.whole, call),
    emptyKey: (call) => sendWith(keys.empty, call),
    wrongKey: (call) => sendWith('wrong', call),
  }
})
afterAll(() => heddle?.close())

const sendAs = (client: TestClient, call: Call) => client.fetch(`/api/v1${call.path}`, initOf(call))

const sendWith = (key: string, call: Call) =>
  heddle.fetch(`/api/v1${call.path}`, initOf(call, { authorization: `Bearer ${key}` }))

function initOf({ method, contentType, body }: Call, authorization: Record<string, string> = {}): RequestInit {
  const headers = new Headers(authorization)
  if (contentType !== undefined) headers.set('content-type', contentType)
  return { method, headers, ...(body === undefined ? {} : { body }) }
}

async function putRows(): Promise<void> {
  await seedWorkspace(heddle.database, { id: workspaceId, sealed })
  await heddle.database.update(chatflows).set({ flowData: FLOW, type: 'AGENTFLOW' })
  await heddle.database.update(flowVersions).set({ flowData: FLOW })
  keys = {
    whole: await putKey(heddle, { workspaceId, permissions: [...allPermissions] }),
    empty: await putKey(heddle, { workspaceId, permissions: [] }),
  }
}

describe.each(operations)('$method $path', (described) => {
  let called = 0
  beforeEach(putRows)

  it(
    'answers what is described, whoever calls',
    async () => {
      const property = fc.asyncProperty(callsOf(described, document.components.schemas), async (call) => {
        if (described.method !== 'GET' && ++called % CALLS_PER_SEED === 0) await putRows()
        const response = await callers[call.caller](call)
        const answered = {
          status: response.status,
          contentType: response.headers.get('content-type'),
          text: await response.text(),
        }
        const problem = judge(described.operation, answered)
        if (problem) throw new Error(`${problem}\n${answered.text.slice(0, 1000)}`)
      })
      await fc.assert(property, { numRuns: runs, seed: SEED })
    },
    Math.max(30_000, runs * 100),
  )
})

it('finds the rows that the calls name', async () => {
  await putRows()
  const flow = await owner.fetch(`/api/v1/chatflows/${SEED_ID}`)
  expect([200, 401]).toContain(flow.status)
})

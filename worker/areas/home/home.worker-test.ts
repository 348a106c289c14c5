import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { HOME_RUNS, type Home } from '#contract/home/home.ts'
import type { Delivery, Trigger } from '#contract/triggers/index.ts'
import { executions, triggers } from '#db/schema/index.ts'
import type { TestClient } from '#worker/local/testing/heddle.ts'
import { chain, code, directReply, edge, node, start } from '../../../e2e/support/flows.ts'
import { joinWorkspace } from '../../http/testing/people.ts'
import { openScene, type Scene } from '../predictions/testing/scene.ts'

let scene: Scene
let flows: Record<'approval' | 'broken' | 'fresh', string>

const [begin, ask, printed] = [
  start(),
  node('humanInputAgentflow', 0, { humanInputDescriptionType: 'fixed', humanInputDescription: 'Print this?' }),
  directReply('Printed'),
]
const approval = { nodes: [begin, ask, printed], edges: [edge(begin, ask), edge(ask, printed, 0)] }

beforeAll(async () => {
  scene = await openScene()
  flows = {
    approval: await scene.save(approval, { name: 'Headlines' }),
    broken: await scene.save(chain(start(), code('throw new Error("no yarn left")')), { name: 'Looms' }),
    fresh: await scene.save(chain(start(), directReply('Hello')), { name: 'Never run' }),
  }
  await scene.internally(flows.approval, { question: 'A headline for spring' })
  const settings = { kind: 'schedule', cron: '0 9 * * *', input: { mode: 'text', text: 'Go' } }
  const { body: trigger } = await scene.call<Trigger>('POST', '/triggers', {
    flowId: flows.broken,
    name: 'Every morning',
    settings,
  })
  const { body: delivery } = await scene.call<Delivery>('POST', `/triggers/${trigger.id}/run`, {})
  for (let state = 'queued'; state !== 'dead'; ) {
    state = (await scene.call<Delivery>('GET', `/trigger-deliveries/${delivery.id}`)).body.state
  }
  // Manual runs do not count as failures in a row.
  await countFailures(3)
})
afterAll(() => scene.close())

const countFailures = (failuresInRow: number) =>
  scene.heddle.database.update(triggers).set({ failuresInRow }).where(eq(triggers.flowId, flows.broken))

const home = async (client?: TestClient) => (await scene.call<Home>('GET', '/home', undefined, client)).body

it('lists recent flows with a sketch and their last run, waiting runs, and failing triggers', async () => {
  expect(await home()).toMatchObject({
    flows: [
      { id: flows.fresh, name: 'Never run', lastRun: null },
      { id: flows.broken, name: 'Looms', lastRun: { state: 'ERROR' } },
      {
        id: flows.approval,
        name: 'Headlines',
        lastRun: { state: 'STOPPED' },
        sketch: {
          nodes: [
            { name: 'startAgentflow', x: 0, y: 0 },
            { name: 'humanInputAgentflow', x: 0 },
            { name: 'directReplyAgentflow', x: 0 },
          ],
          edges: [
            { from: 0, to: 1 },
            { from: 1, to: 2 },
          ],
        },
      },
    ],
    waiting: [{ flow: { name: 'Headlines' }, question: 'A headline for spring', step: 'humanInput 0', waitsFor: null }],
    failing: [
      {
        name: 'Every morning',
        flow: { name: 'Looms' },
        failuresInRow: 3,
        reason: expect.stringContaining('no yarn left'),
      },
    ],
  })
})

it('shows nothing of another workspace', async () => {
  expect(await home(await scene.heddle.signUp())).toEqual({ flows: [], waiting: [], failing: [] })
})

it('the home page leaves out what a member may not view', async () => {
  const member = await scene.heddle.signUp()
  const { setPermissions } = await joinWorkspace(scene.heddle, member, scene.ann)
  await setPermissions(['variables:view'])
  expect(await home(member)).toEqual({ flows: [], waiting: [], failing: [] })
  await setPermissions(['executions:view'])
  expect(await home(member)).toMatchObject({
    flows: [],
    waiting: [{ flow: { name: 'Headlines' }, waitsFor: 'the team' }],
    failing: [],
  })
  await setPermissions(['chatflows:view'])
  expect(await home(member)).toEqual({ flows: [], waiting: [], failing: [] })
  await setPermissions(['agentflows:view'])
  const seen = await home(member)
  expect(seen).toMatchObject({ waiting: [], failing: [{ name: 'Every morning' }] })
  expect(seen.flows.map(({ name, lastRun }) => [name, lastRun])).toEqual([
    ['Never run', null],
    ['Looms', null],
    ['Headlines', null],
  ])
})

it('says who is waited for to members who may not answer', async () => {
  const member = await scene.heddle.signUp()
  const { setPermissions } = await joinWorkspace(scene.heddle, member, scene.ann)
  await setPermissions(['executions:view', 'agentflows:view'])
  const [row] = await scene.heddle.database.select().from(executions).where(eq(executions.agentflowId, flows.approval))
  const action = JSON.parse(row?.action ?? '{}') as { data: { input: object } }
  const waitsFor = async (approvers: object) => {
    action.data.input = { ...action.data.input, ...approvers }
    const change = { action: JSON.stringify(action) }
    await scene.heddle.database
      .update(executions)
      .set(change)
      .where(eq(executions.id, row?.id ?? ''))
    return (await home(member)).waiting.map((run) => run.waitsFor)
  }
  expect(await waitsFor({ approvers: 'members' })).toEqual([null])
  expect(await waitsFor({ approvers: 'role', approverRole: 'Finance' })).toEqual(['Finance'])
  expect((await home()).waiting.map((run) => run.waitsFor)).toEqual([null])
})

it('a trigger that works again is not failing any more', async () => {
  await countFailures(0)
  expect((await home()).failing).toEqual([])
})

it('shows a run that waits after hundreds of newer ones', async () => {
  const { database } = scene.heddle
  const [row] = await database.select().from(executions).where(eq(executions.agentflowId, flows.broken))
  const newer = { ...(row as typeof executions.$inferSelect), createdDate: new Date(Date.now() + 60_000).toISOString() }
  const rows = Array.from({ length: HOME_RUNS + 1 }, () => ({ ...newer, id: crypto.randomUUID() }))
  for (let at = 0; at < rows.length; at += 50) await database.insert(executions).values(rows.slice(at, at + 50))
  expect((await home()).waiting).toMatchObject([{ flow: { name: 'Headlines' } }])
})

// @defends run-breaks-worker
/** Which runs without a worker are dispatched, in which order, and to instances of which names. */
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { TestClient } from '#worker/local/testing/heddle.ts'
import type { JobParams } from '#worker/services.ts'
import { chain, directReply, start } from '../../../e2e/support/flows.ts'
import { openScene, type Scene } from '../../areas/predictions/testing/scene.ts'
import { placesForLost } from '../../jobs/places.ts'
import { forgetPlaces } from '../../jobs/testing/forget-places.ts'
import { claimSubrun } from './orphans.ts'
import { dispatchFlowOrphans, dispatchOrphans, type OrphanParams } from './recover.ts'

let scene: Scene
let bob: TestClient
beforeAll(async () => {
  scene = await openScene()
  bob = await scene.heddle.signUp()
})
afterEach(forgetPlaces)
afterEach(() => scene.heddle.database.run(sql`delete from executions`))
afterAll(() => scene.close())

async function flowOf(client: TestClient): Promise<string> {
  const body = { name: 'F', type: 'AGENTFLOW', flowData: JSON.stringify(chain(start(), directReply('yes'))) }
  return (await scene.call<{ id: string }>('POST', '/chatflows', body, client)).body.id
}

/** Runs `<prefix>-<n>` of a flow, the first the oldest. Their leases have expired by this minute. */
const putOrphans = (flowId: string, { prefix, count, minute }: { prefix: string; count: number; minute: number }) =>
  scene.heddle.database.run(sql`
    insert into executions (id, workspace_id, agentflow_id, flow_version, session_id, chat_id, state, input,
      lease_expires_date, created_date, updated_date)
    select ${prefix} || '-' || value, workspace_id, id, 1, 's', 's', 'INPROGRESS', '{}',
      printf('2026-01-01T00:%02d:00.%03dZ#1', ${minute}, value), '2026-01-01', '2026-01-01'
    from generate_series(1, ${count}), chatflows where id = ${flowId}`)

/** What would be started. */
async function dispatched(now = new Date('2026-01-01T01:00:00.000Z'), flowId?: string) {
  const instances: { id: string; params: JobParams }[] = []
  const services = {
    db: scene.heddle.database,
    clock: { now: () => now, sleep: async () => {} },
    backgroundRuns: {
      createBatch: async (batch: typeof instances) => instances.push(...batch),
      deleteBatch: async () => undefined,
    },
  }
  await (flowId === undefined ? dispatchOrphans(services) : dispatchFlowOrphans(services, flowId))
  return instances
}

const isOrphan = (params: JobParams): params is OrphanParams => params.kind === 'orphan'

const runsOf = (instances: { params: JobParams }[]) =>
  instances.map(({ params }) => (isOrphan(params) ? params.executionId : params.kind))

it('orphaned runs of one workspace do not delay those of another', async () => {
  await putOrphans(await flowOf(scene.ann), { prefix: 'ann', count: 900, minute: 1 })
  await putOrphans(await flowOf(bob), { prefix: 'bob', count: 2, minute: 30 })
  const places = placesForLost()
  const runs = runsOf(await dispatched())
  expect(runs).toHaveLength(places)
  // They have these places now, so that a minute does not start as many lost deliveries beside them.
  expect(placesForLost()).toBeLessThan(places / 4)
  expect(runs.slice(0, 5)).toEqual(['ann-1', 'bob-1', 'ann-2', 'bob-2', 'ann-3'])
})

it('gives an orphan the same instance id from every caller, until the instance is to be replaced', async () => {
  const flowId = await flowOf(scene.ann)
  await putOrphans(flowId, { prefix: 'run', count: 1, minute: 1 })
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute, 30))
  const [[job], [caller], [later]] = [
    await dispatched(at(3)),
    await dispatched(at(5), flowId),
    await dispatched(at(6), flowId),
  ]
  expect(caller?.id).toBe(job?.id)
  expect(later?.id).not.toBe(job?.id)
})

it('dispatches only the orphans of the flow that is called', async () => {
  const [own, other] = [await flowOf(scene.ann), await flowOf(scene.ann)]
  await putOrphans(own, { prefix: 'own', count: 1, minute: 2 })
  await putOrphans(other, { prefix: 'other', count: 1, minute: 1 })
  expect(runsOf(await dispatched(undefined, own))).toEqual(['own-1'])
})

it('recovery skips a run with a valid lease, an open caller or a running delivery', async () => {
  const flowId = await flowOf(scene.ann)
  await putOrphans(flowId, { prefix: 'run', count: 4, minute: 1 })
  const { database } = scene.heddle
  await database.run(sql`update executions set lease_expires_date = '2026-01-01T02:00:00.000Z#1' where id = 'run-1'`)
  await database.run(sql`update executions set parent_execution_id = 'run-1' where id = 'run-2'`)
  const settings = { kind: 'schedule', cron: '0 0 * * *', input: { mode: 'none' } }
  const { body: trigger } = await scene.call<{ id: string }>('POST', '/triggers', { flowId, name: 'T', settings })
  await database.run(sql`
    insert into trigger_deliveries (id, workspace_id, trigger_id, flow_id, source, state, due_date, execution_id)
    select 'd', workspace_id, ${trigger.id}, id, 'schedule', 'running', '2026-01-01', 'run-3'
    from chatflows where id = ${flowId}`)
  expect(runsOf(await dispatched())).toEqual(['run-4'])
  await database.run(sql`update trigger_deliveries set state = 'dead'`)
  expect(runsOf(await dispatched())).toEqual(['run-3', 'run-4'])
})

const LATER = '2026-01-01T02:00:00.000Z#1'

it.each([
  ['whose lease has expired', 1, sql`state = 'INPROGRESS'`],
  ['that failed', 1, sql`state = 'ERROR', lease_expires_date = null`],
  ['whose worker lives', 0, sql`lease_expires_date = ${LATER}`],
  ['that failed while a worker holds it', 0, sql`state = 'ERROR', lease_expires_date = ${LATER}`],
  ['that has ended', 0, sql`state = 'FINISHED', lease_expires_date = null`],
])('gives a called run %s to %i of eight callers at once', async (_, claims, change) => {
  await putOrphans(await flowOf(scene.ann), { prefix: 'called', count: 1, minute: 1 })
  const { database } = scene.heddle
  await database.run(sql`update executions set ${change}`)
  const now = new Date('2026-01-01T01:00:00.000Z')
  const claimed = await Promise.all(Array.from({ length: 8 }, () => claimSubrun(database, now, 'called-1')))
  expect(claimed.filter(Boolean)).toHaveLength(claims)
})

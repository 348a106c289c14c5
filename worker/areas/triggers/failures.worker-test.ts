// @defends run-breaks-worker
/** What breaks off between two steps of a delivery, and what people do to one while it runs. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LibsqlError } from '@libsql/client/web'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Trigger } from '#contract/triggers/index.ts'
import { DatabaseFault } from '#db/database-failure.ts'
import { triggerDeliveries, triggers } from '#db/schema/index.ts'
import type { Services } from '#worker/services.ts'
import { chain, code, directReply, llm, start } from '../../../e2e/support/flows.ts'
import { gate } from '../../../e2e/support/model-server.ts'
import type { Steps } from '../../jobs/instances.ts'
import { createPorts } from '../../ports/index.ts'
import { openScene, type Scene } from '../predictions/testing/scene.ts'
import { deriveExecutionId } from './rows.ts'
import { runDelivery } from './run-delivery.ts'
import { interceptBatches, type OnBatch } from './testing/intercept-batches.ts'
import { addHook, deliveriesOf } from './webhook/testing/webhooks.ts'

let scene: Scene
let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  receiver = await startReceiver()
  scene = await openScene({ allowPrivateHosts: receiver.host })
})
afterAll(async () => {
  await scene.close()
  await receiver.close()
})
beforeEach(() => {
  receiver.calls.length = 0
  receiver.statusOf = () => 200
})

/** Takes callbacks under `/callback`, alerts under `/alert`. */
async function startReceiver() {
  const calls: string[] = []
  const server = createServer((request, response) => {
    calls.push(request.url ?? '')
    response.writeHead(own.statusOf(request.url ?? '')).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const own = {
    host,
    url: `http://${host}`,
    calls,
    statusOf: (_path: string) => 200,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
  return own
}

/** What an instance has, here in the test's own process. */
function services(): Services {
  const ports = createPorts({
    masterKey: 'the-master-key-of-this-test-is-43-chars-lon',
    allowPrivateHosts: [receiver.host],
    mail: {},
  })
  const backgroundRuns = { createBatch: async () => [], deleteBatch: async () => [] }
  const config = { platformType: 'cloud' as const, allowPrivateHosts: [receiver.host] }
  return { ...ports, db: scene.heddle.database, backgroundRuns, config } as unknown as Services
}

/** Steps that are made again when they throw, as the platform does, without its waits. */
function steps(tries: number): Steps {
  return {
    async do(_name, _config, work) {
      for (let left = tries; ; left--) {
        try {
          return await work()
        } catch (error) {
          if (left <= 1) throw error
        }
      }
    },
    sleep: async () => {},
  }
}

/** A delivery whose worker wrote its end and died before it had told anybody. */
async function closedAndBrokenOff(operations: object = {}) {
  const { id: triggerId, flowId } = await addHook(scene, {
    settings: { response: 'async', callbackUrl: `${receiver.url}/callback` },
    operations,
  })
  const [trigger] = await scene.heddle.database.select().from(triggers).where(eq(triggers.id, triggerId))
  const { workspaceId } = trigger as typeof triggers.$inferSelect
  const deliveryId = crypto.randomUUID()
  await scene.heddle.database.insert(triggerDeliveries).values({
    id: deliveryId,
    workspaceId,
    triggerId,
    flowId,
    source: 'webhook',
    state: 'dead',
    reason: 'broken',
    attempts: 1,
    dueDate: new Date().toISOString(),
    executionId: await deriveExecutionId({ workspaceId }, { id: deliveryId, attempt: 0 }),
    payload: { chatId: 'c' },
  })
  return {
    kind: 'delivery' as const,
    deliveryId,
    triggerId,
    flowId,
    workspaceId,
    attempt: 0,
    chatId: 'c',
    notBefore: null,
  }
}

async function beside(flow: Parameters<Scene['save']>[0], { settings = {}, operations = {} } = {}) {
  const flowId = await scene.save(flow)
  const own = { kind: 'schedule', cron: '0 9 * * *', input: { mode: 'text', text: 'Go' }, ...settings }
  return (await scene.call<Trigger>('POST', '/triggers', { flowId, name: 'Beside', settings: own, operations })).body
}

async function fire(id: string, at: string) {
  await scene.heddle.database.update(triggers).set({ nextDue: at, state: 'active' }).where(eq(triggers.id, id))
  await scene.heddle.scheduled(new Date(at))
}

const statesOf = (triggerId: string) => async () =>
  (await deliveriesOf(scene, triggerId)).map(({ state }) => state).sort()

it('sends the alert of a delivery once although its instance crashed after the end', async () => {
  const params = await closedAndBrokenOff()
  await runDelivery(services(), params, steps(1))
  expect(receiver.calls).toEqual(['/callback'])
  await runDelivery(services(), params, steps(1))
  expect(receiver.calls).toEqual(['/callback'])
})

it('sends one callback even when the alert is retried', async () => {
  const params = await closedAndBrokenOff({ alertUrl: `${receiver.url}/alert` })
  let alerts = 0
  receiver.statusOf = (path) => (path === '/alert' && ++alerts < 3 ? 503 : 200)
  await runDelivery(services(), params, steps(5))
  expect(receiver.calls).toEqual(['/callback', '/alert', '/alert', '/alert'])
})

it('runs due triggers while an alert cannot be sent', async () => {
  receiver.statusOf = () => 503
  const lost = await beside(chain(start(), code('throw new Error("broken")')), {
    operations: { alertUrl: `${receiver.url}/alert` },
  })
  await fire(lost.id, '2026-02-01T09:00:00.000Z')
  await expect.poll(statesOf(lost.id)).toEqual(['dead'])
  await scene.heddle.database
    .update(triggerDeliveries)
    .set({ state: 'running' })
    .where(eq(triggerDeliveries.triggerId, lost.id))
  await scene.call('POST', `/triggers/${lost.id}/pause`)
  const due = await beside(chain(start(), directReply('Yes')))
  await fire(due.id, '2026-02-02T09:00:00.000Z')
  await expect.poll(statesOf(due.id)).toEqual(['succeeded'])
  await expect.poll(statesOf(lost.id), { timeout: 10_000 }).toEqual(['dead'])
})

it('ends a delivery with an error when its flow cannot be read', async () => {
  const { id, flowId } = await beside(chain(start(), directReply('Yes')))
  await scene.heddle.database.run(
    sql`update chatflows set flow_data = 'torn', version = version + 7 where id = ${flowId}`,
  )
  await fire(id, '2026-02-01T09:00:00.000Z')
  await expect.poll(statesOf(id), { timeout: 5000 }).toEqual(['dead'])
})

it('starts a run that needs more than one answer of the database takes', async () => {
  const { id, flowId } = await beside(chain(start(), directReply('Yes')))
  const { database } = scene.heddle
  await database.run(sql`
    insert into variables (id, workspace_id, name, value, type, created_date, updated_date)
    select 'wide ' || value, flow.workspace_id, 'wide' || value, printf('%.*c', 100000, 'w'), 'static', '', ''
    from generate_series(1, 110), chatflows flow where flow.id = ${flowId}`)
  await fire(id, '2026-02-01T09:00:00.000Z')
  await expect.poll(statesOf(id)).toEqual(['succeeded'])
  await database.run(sql`delete from variables where name like 'wide%'`)
})

/** A delivery that no instance has claimed. */
async function queued() {
  const { id: triggerId, flowId } = await addHook(scene, { flow: chain(start(), directReply('Done')) })
  const [trigger] = await scene.heddle.database.select().from(triggers).where(eq(triggers.id, triggerId))
  const { workspaceId } = trigger as typeof triggers.$inferSelect
  const deliveryId = crypto.randomUUID()
  const shared = { workspaceId, triggerId, flowId }
  await scene.heddle.database.insert(triggerDeliveries).values({
    ...shared,
    id: deliveryId,
    source: 'manual',
    state: 'queued',
    dueDate: new Date().toISOString(),
    payload: { question: 'Go' },
  })
  return { kind: 'delivery' as const, deliveryId, ...shared, attempt: 0, chatId: null, notBefore: null }
}

const withBatches = (before: OnBatch, after?: OnBatch) => interceptBatches(scene.heddle.database, before, after)

/** A database that does the batch of this number, whose answer does not arrive. */
const losingAnswerTo = (lost: number) =>
  withBatches(
    () => {},
    (number) => {
      if (number === lost) throw new DatabaseFault('The answer is lost', 'written')
    },
  )

it('ends a delivery with a reason when its run cannot be stored', async () => {
  const params = await queued()
  const db = withBatches((number) => {
    // The claim comes first.
    if (number === 2) throw new LibsqlError('string or blob too big', 'SQLITE_TOOBIG')
  })
  await runDelivery({ ...services(), db }, params, steps(1))
  const reason = expect.stringContaining('could not be stored')
  expect(await deliveriesOf(scene, params.triggerId)).toMatchObject([{ state: 'dead', reason }])
})

it('runs a delivery that its first try claimed without hearing of it', async () => {
  const params = await queued()
  await runDelivery({ ...services(), db: losingAnswerTo(1) }, params, steps(2))
  expect(await deliveriesOf(scene, params.triggerId)).toMatchObject([{ state: 'succeeded', attempts: 1 }])
})

it('runs a delivery whose run was stored without an answer', async () => {
  const params = await queued()
  await runDelivery({ ...services(), db: losingAnswerTo(2) }, params, steps(1))
  expect(await deliveriesOf(scene, params.triggerId)).toMatchObject([{ state: 'succeeded', attempts: 1 }])
})

it('runs a delivery although the database was away when its run was to be stored', async () => {
  const params = await queued()
  const db = withBatches((number) => {
    if (number === 2) throw new DatabaseFault('It is away', 'nothing-done')
  })
  await runDelivery({ ...services(), db }, params, steps(1))
  expect(await deliveriesOf(scene, params.triggerId)).toMatchObject([{ state: 'succeeded', attempts: 1 }])
})

it('runs a delivery once although two instances claimed it before either had stored the run', async () => {
  const params = await queued()
  const isClaimedTwice = Promise.withResolvers<void>()
  let second: Promise<void> | undefined
  const ofSecond = withBatches(
    () => {},
    (number) => number === 1 && isClaimedTwice.resolve(),
  )
  const ofFirst = withBatches(
    (number) => number === 2 && isClaimedTwice.promise,
    (number) => {
      if (number === 1) second = runDelivery({ ...services(), db: ofSecond }, params, steps(2))
    },
  )
  await runDelivery({ ...services(), db: ofFirst }, params, steps(2))
  await second
  expect(await deliveriesOf(scene, params.triggerId)).toMatchObject([{ state: 'succeeded', attempts: 1 }])
  const answers = await scene.heddle.database.all(sql`
    select 1 from chat_messages join trigger_deliveries delivery using (execution_id)
    where role = 'apiMessage' and delivery.id = ${params.deliveryId}`)
  expect(answers).toHaveLength(1)
})

it('defers a retry while another run is in progress, without skipping it', async () => {
  const { id, flowId } = await beside(chain(start(), directReply('Yes')), { operations: { retries: 2 } })
  const [trigger] = await scene.heddle.database.select().from(triggers).where(eq(triggers.id, id))
  const shared = { workspaceId: trigger?.workspaceId as string, triggerId: id, flowId, source: 'schedule' as const }
  const failed = {
    ...shared,
    id: `${id}-1`,
    state: 'queued' as const,
    attempts: 1,
    dueDate: '2026-02-01T09:00:00.000Z',
    nextAttemptDate: '2026-02-01T09:01:00.000Z',
  }
  const next = {
    ...shared,
    id: `${id}-2`,
    state: 'running' as const,
    attempts: 1,
    dueDate: '2026-02-01T10:00:00.000Z',
    startedDate: new Date().toISOString(),
  }
  await scene.heddle.database.insert(triggerDeliveries).values([failed, next])
  const [services_, params] = [
    services(),
    { kind: 'delivery' as const, deliveryId: failed.id, ...shared, attempt: 1, chatId: null },
  ]
  await runDelivery(services_, { ...params, notBefore: null }, steps(1))
  await scene.heddle.scheduled(new Date('2026-02-01T10:01:00.000Z'))
  expect(await statesOf(id)()).toEqual(['queued', 'running'])
  await scene.heddle.database
    .update(triggerDeliveries)
    .set({ state: 'succeeded' })
    .where(eq(triggerDeliveries.id, next.id))
  await scene.heddle.scheduled(new Date('2026-02-01T10:03:00.000Z'))
  await expect.poll(statesOf(id), { timeout: 5000 }).toEqual(['succeeded', 'succeeded'])
})

/** A run of today that goes on until the gate opens. */
async function held() {
  const hold = gate()
  scene.model.reset()
  scene.model.reply({ text: 'one', before: hold.opened }, { text: 'two' })
  const { id, flowId } = await beside(chain(start(), llm(scene.model.baseUrl)), {
    operations: { retries: 3, retryWaitSeconds: 0 },
  })
  await fire(id, '2026-02-01T09:00:00.000Z')
  await scene.model.received(1)
  const [delivery] = await deliveriesOf(scene, id)
  return { id, flowId, hold, executionId: delivery?.executionId as string }
}

it('a trigger does not retry or count a delivery whose run a person stopped', async () => {
  const { id, flowId, executionId, hold } = await held()
  const { chatId } = await scene.row(executionId)
  await scene.call('PUT', `/chatmessage/abort/${flowId}/${chatId}`)
  await expect.poll(statesOf(id), { timeout: 5000 }).toEqual(['dead'])
  hold.open()
  expect(await deliveriesOf(scene, id)).toMatchObject([{ attempts: 1, nextAttemptDate: null }])
  expect((await scene.call('GET', `/triggers/${id}`)).body).toMatchObject({ failuresInRow: 0, state: 'active' })
})

/** A delivery whose worker died in its run: the run has its log, and nobody renews its lease. */
async function orphaned() {
  const { id: triggerId, flowId } = await beside(chain(start(), directReply('Yes')))
  await fire(triggerId, '2026-02-01T09:00:00.000Z')
  await expect.poll(statesOf(triggerId), { timeout: 5000 }).toEqual(['succeeded'])
  const { database } = scene.heddle
  await database.update(triggerDeliveries).set({ state: 'running' }).where(eq(triggerDeliveries.triggerId, triggerId))
  const [delivery] = await database.select().from(triggerDeliveries).where(eq(triggerDeliveries.triggerId, triggerId))
  const { id: deliveryId, workspaceId, executionId } = delivery as typeof triggerDeliveries.$inferSelect
  await database.run(sql`delete from chat_messages where role = 'apiMessage' and execution_id = ${executionId}`)
  await database.run(sql`
    update executions set state = 'INPROGRESS', attempts = 1, lease_expires_date = '2026-02-01T09:00:30.000Z#1'
    where id = ${executionId}`)
  const params = { kind: 'delivery' as const, deliveryId, triggerId, flowId, workspaceId, attempt: 0 }
  return { ...params, chatId: null, notBefore: null }
}

it('resumes a run although the database was away each time after it had claimed it', async () => {
  const params = await orphaned()
  const db = withBatches((number) => {
    // The claim of the delivery, and then what the run needs.
    if (number === 2 || number === 4) throw new DatabaseFault('It is away', 'nothing-done')
  })
  await runDelivery({ ...services(), db }, params, steps(3))
  expect(await statesOf(params.triggerId)()).toEqual(['succeeded'])
})

it('a trigger does not restart a delivery whose run was deleted', async () => {
  const { id, executionId, hold } = await held()
  const { status } = await scene.call('DELETE', '/executions', { executionIds: [executionId] })
  expect(status).toBe(200)
  hold.open()
  const old = '2026-01-01T00:00:00.000Z'
  await scene.heddle.database.run(sql`update trigger_deliveries set started_date = ${old} where trigger_id = ${id}`)
  await scene.heddle.scheduled(new Date('2026-02-01T09:05:00.000Z'))
  expect(await deliveriesOf(scene, id)).toMatchObject([{ state: 'dead', reason: 'Its run was deleted' }])
  expect(scene.model.requests).toHaveLength(1)
})

it('stores the run before it starts, so that a run that crashes its worker is counted', async () => {
  const params = await queued()
  const order: string[] = []
  const own = services()
  const db = withBatches(() => order.push('stored'))
  const openOutside = () => {
    order.push('the run begins')
    return own.openOutside()
  }
  await runDelivery({ ...own, db, openOutside }, params, steps(1))
  expect(order.slice(0, 3)).toEqual(['stored', 'stored', 'the run begins'])
  expect(await statesOf(params.triggerId)()).toEqual(['succeeded'])
})

import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import type {
  Delivery,
  DeliveryDetail,
  DeliveryList,
  Trigger,
  TriggerList,
  TriggerSummary,
} from '#contract/triggers/index.ts'
import { executions, triggerDeliveries, triggers } from '#db/schema/index.ts'
import { chain, code, directReply, llm, start } from '../../../e2e/support/flows.ts'
import { gate } from '../../../e2e/support/model-server.ts'
import { openScene, type Scene } from '../predictions/testing/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.close())

const DAILY = {
  startInputType: 'scheduleInput',
  scheduleType: 'cronExpression',
  scheduleCronExpression: '0 9 * * *',
  scheduleInputMode: 'text',
  scheduleDefaultInput: 'Report',
}
const daily = (inputs: object = {}, reply = 'It is {{question}}'): FlowDocument =>
  chain(start({ ...DAILY, ...inputs }), directReply(reply))

const ofFlow = async (flowId: string) => {
  const { body } = await scene.call<TriggerList>('GET', `/triggers?flowId=${flowId}`)
  return body.data
}
const onlyOf = async (flowId: string) => (await ofFlow(flowId))[0] as TriggerSummary
const put = (flowId: string, flow: FlowDocument) =>
  scene.call('PUT', `/chatflows/${flowId}`, { flowData: JSON.stringify(flow) })
const deliveriesOf = async (triggerId: string) =>
  (await scene.call<DeliveryList>('GET', `/trigger-deliveries?triggerId=${triggerId}`)).body.data

/** Waits until nothing of this trigger is on its way. */
async function settled(triggerId: string) {
  for (;;) {
    const all = await deliveriesOf(triggerId)
    if (
      all.length > 0 &&
      all.every(({ state, nextAttemptDate }) => state !== 'running' && (state !== 'queued' || nextAttemptDate))
    )
      return all
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

/** Moves the trigger's next run to a minute of the test's own clock. */
const dueAt = (id: string, at: string) =>
  scene.heddle.database.update(triggers).set({ nextDue: at, state: 'active' }).where(eq(triggers.id, id))

const schedule = (fields: object = {}) => ({
  kind: 'schedule',
  cron: '0 9 * * *',
  input: { mode: 'text', text: 'Go' },
  ...fields,
})

async function beside(flow: FlowDocument, { settings = {}, operations = {} } = {}): Promise<Trigger> {
  const flowId = await scene.save(flow)
  const fields = { flowId, name: 'Beside', settings: schedule(settings), operations }
  return (await scene.call<Trigger>('POST', '/triggers', fields)).body
}

const answering = chain(start(), directReply('Yes, {{question}}'))
const failing = chain(start(), code('throw new Error("broken")'))

describe('a Start node and its trigger', () => {
  it('activates the trigger on the first save and keeps its next run while the timing is unchanged', async () => {
    const flowId = await scene.save(daily())
    const begun = await onlyOf(flowId)
    expect(begun).toMatchObject({ name: 'start 0', kind: 'schedule', state: 'active', nodeId: 'startAgentflow_0' })
    expect(begun.nextDue).toMatch(/T09:00:00\.000Z$/)
    await dueAt(begun.id, '2030-01-01T00:00:00.000Z')
    await put(flowId, daily({ scheduleDefaultInput: 'Other' }))
    const text = await onlyOf(flowId)
    expect(text).toMatchObject({
      id: begun.id,
      nextDue: '2030-01-01T00:00:00.000Z',
      settings: { input: { text: 'Other' } },
    })
    await put(flowId, daily({ scheduleTimezone: 'Asia/Kolkata' }))
    expect((await onlyOf(flowId)).nextDue).toMatch(/T03:30:00\.000Z$/)
  })

  it('pauses the trigger while its settings are invalid', async () => {
    const flowId = await scene.save(daily({ scheduleCronExpression: '99 * * * *' }))
    const { id, ...wrong } = await onlyOf(flowId)
    expect(wrong).toMatchObject({
      state: 'paused',
      stateReason: expect.stringContaining('The minute "99"'),
      nextDue: null,
    })
    const resume = await scene.call<{ message: string }>('POST', `/triggers/${id}/resume`)
    expect(resume).toMatchObject({ status: 409, body: { message: expect.stringContaining('The minute "99"') } })
    await put(flowId, daily())
    expect(await onlyOf(flowId)).toMatchObject({ id, state: 'active', stateReason: null })
    await put(flowId, daily({ scheduleTimezone: 'Mars' }))
    expect(await onlyOf(flowId)).toMatchObject({ state: 'paused', settings: { timezone: 'UTC' } })
  })

  it('ends the trigger when the Start node no longer uses it, and restores it later', async () => {
    const flowId = await scene.save(daily())
    const { id } = await onlyOf(flowId)
    expect((await scene.call('DELETE', `/triggers/${id}`)).status).toBe(409)
    await put(flowId, answering)
    expect(await onlyOf(flowId)).toMatchObject({ state: 'ended', nextDue: null })
    expect((await scene.call('POST', `/triggers/${id}/resume`)).status).toBe(409)
    await put(flowId, daily())
    expect(await onlyOf(flowId)).toMatchObject({ id, state: 'active' })
    await put(flowId, answering)
    expect((await scene.ann.fetch(`/api/v1/triggers/${id}`, { method: 'DELETE' })).status).toBe(204)
    expect(await ofFlow(flowId)).toEqual([])
  })

  it('keeps the name of the trigger while its kind stays the same', async () => {
    const flowId = await scene.save(daily())
    const { id, name } = await onlyOf(flowId)
    await scene.call('PUT', `/triggers/${id}`, { name: 'Every morning' })
    await put(flowId, daily({ scheduleDefaultInput: 'Other' }))
    expect(await onlyOf(flowId)).toMatchObject({ id, name: 'Every morning' })
    await put(flowId, chain(start({ startInputType: 'webhookTrigger', webhookInputMode: 'none' }), directReply('Done')))
    expect(await onlyOf(flowId)).toMatchObject({ id, name, kind: 'webhook', state: 'active', nextDue: null })
  })

  it('keeps a paused trigger paused', async () => {
    const flowId = await scene.save(daily())
    const { id } = await onlyOf(flowId)
    await scene.call('POST', `/triggers/${id}/pause`)
    await put(flowId, daily({ scheduleCronExpression: '5 * * * *' }))
    expect(await onlyOf(flowId)).toMatchObject({ state: 'paused', nextDue: null, settings: { cron: '5 * * * *' } })
    const { body } = await scene.call<Trigger>('POST', `/triggers/${id}/resume`)
    expect(body).toMatchObject({ state: 'active', nextDue: expect.stringMatching(/:05:00/) })
  })

  it('does not resume a trigger whose Start node has invalid settings', async () => {
    const flowId = await scene.save(daily())
    const { id } = await onlyOf(flowId)
    await scene.call('POST', `/triggers/${id}/pause`)
    await put(flowId, daily({ scheduleCronExpression: '99 * * * *' }))
    expect(await scene.call('POST', `/triggers/${id}/resume`)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('The minute "99"') },
    })
    await put(flowId, daily())
    expect(await onlyOf(flowId)).toMatchObject({ state: 'paused' })
    expect((await scene.call('POST', `/triggers/${id}/resume`)).status).toBe(200)
  })

  it('saves settings changed under Triggers in the flow', async () => {
    const flowId = await scene.save(daily())
    const { id } = await onlyOf(flowId)
    const settings = schedule({ cron: '30 7 * * 1', timezone: 'Europe/Berlin', overlap: 'queue' })
    const { body } = await scene.call<Trigger>('PUT', `/triggers/${id}`, { settings, name: 'Mondays' })
    expect(body).toMatchObject({ name: 'Mondays', settings: { cron: '30 7 * * 1', overlap: 'queue' } })
    const { body: flow } = await scene.call<{ flowData: string; version: number }>('GET', `/chatflows/${flowId}`)
    expect(flow.version).toBe(2)
    expect(JSON.parse(flow.flowData).nodes[0].data.inputs).toMatchObject({
      scheduleCronExpression: '30 7 * * 1',
      scheduleTimezone: 'Europe/Berlin',
      scheduleDefaultInput: 'Go',
    })
    const versions = await scene.call<{ data: { note: string }[] }>('GET', `/chatflows/${flowId}/versions`)
    expect(versions.body.data[0]?.note).toBe('Trigger settings changed')
  })

  it('ignores a save that was refused', async () => {
    const flowId = await scene.save(daily())
    const flowData = JSON.stringify(answering)
    expect((await scene.call('PUT', `/chatflows/${flowId}`, { flowData, version: 7 })).status).toBe(409)
    expect(await onlyOf(flowId)).toMatchObject({ state: 'active' })
  })

  it('pauses an imported trigger', async () => {
    const id = crypto.randomUUID()
    const AgentFlowV2 = [{ id, name: 'From elsewhere', flowData: JSON.stringify(daily()), type: 'AGENTFLOW' }]
    expect((await scene.call('POST', '/export-import/import', { AgentFlowV2 })).status).toBe(200)
    expect(await onlyOf(id)).toMatchObject({ state: 'paused', stateReason: expect.stringContaining('Imported') })
  })
})

describe('a trigger beside a flow', () => {
  it('refuses invalid settings and names the field', async () => {
    const flowId = await scene.save(answering)
    const make = (fields: object) =>
      scene.call<{ message: string; field: string }>('POST', '/triggers', {
        flowId,
        name: 'x',
        settings: schedule(),
        ...fields,
      })
    expect(await make({ settings: schedule({ cron: '* * *' }) })).toMatchObject({
      status: 400,
      body: { field: 'settings.cron' },
    })
    expect(await make({ settings: schedule({ endDate: '2020-01-01T00:00:00Z' }) })).toMatchObject({
      status: 400,
      body: { field: 'settings.endDate' },
    })
    expect(await make({ operations: { alertEmail: 'ann@example.com' } })).toMatchObject({
      status: 400,
      body: { field: 'operations.alertEmail' },
    })
    expect((await scene.call<{ hasMailService: boolean }>('GET', '/settings')).body.hasMailService).toBe(false)
    expect((await make({ flowId: crypto.randomUUID() })).status).toBe(404)
    const chatflow = await scene.save({ nodes: [], edges: [] }, { type: 'MULTIAGENT' })
    expect(await make({ flowId: chatflow })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('Rebuild it as an agent flow') },
    })
  })

  it('runs at its minute and lists the delivery', async () => {
    const { id, nextDue } = await beside(answering)
    await scene.heddle.scheduled(new Date(nextDue as string))
    const [delivery] = await settled(id)
    expect(delivery).toMatchObject({
      state: 'succeeded',
      source: 'schedule',
      dueDate: nextDue,
      attempts: 1,
      executionState: 'FINISHED',
    })
    const detail = (await scene.call<DeliveryDetail>('GET', `/trigger-deliveries/${delivery?.id}`)).body
    expect(detail.response).toEqual({ status: 200, body: 'Yes, Go' })
    const { body } = await scene.call<TriggerSummary>('GET', `/triggers/${id}`)
    expect(body).toMatchObject({ lastDelivery: { id: delivery?.id, state: 'succeeded' } })
    expect(Date.parse(body.nextDue as string) - Date.parse(nextDue as string)).toBe(86_400_000)
    expect((await scene.messagesOf(delivery?.executionId as string)).map(({ chatType }) => chatType)).toEqual([
      'SCHEDULED',
      'SCHEDULED',
    ])
  })

  it('shows statistics in the list of triggers', async () => {
    const { id, flowId } = await beside(answering)
    await scene.call('POST', `/triggers/${id}/run`, {})
    await settled(id)
    expect(await onlyOf(flowId)).toMatchObject({ succeeded: 1, dead: 0, p95: expect.any(Number), cost: null })
  })

  it('runs manually and replays with the same or another payload', async () => {
    const { id } = await beside(answering)
    await scene.call('POST', `/triggers/${id}/pause`)
    const run = await scene.call<DeliveryDetail>('POST', `/triggers/${id}/run`, { payload: { question: 'please' } })
    expect(run).toMatchObject({ status: 200, body: { state: 'queued', source: 'manual' } })
    await settled(id)
    const replay = await scene.call<DeliveryDetail>('POST', `/trigger-deliveries/${run.body.id}/replay`, {})
    const edited = await scene.call<DeliveryDetail>('POST', `/trigger-deliveries/${run.body.id}/replay`, {
      payload: { question: 'again' },
    })
    await settled(id)
    const responseBody = async (delivery: string) =>
      (await scene.call<DeliveryDetail>('GET', `/trigger-deliveries/${delivery}`)).body.response?.body
    expect(await responseBody(replay.body.id)).toBe('Yes, please')
    expect(await responseBody(edited.body.id)).toBe('Yes, again')
    expect(edited.body).toMatchObject({ source: 'replay', replayOf: run.body.id })
  })

  it('lists deliveries in pages', async () => {
    const { id } = await beside(answering)
    for (let count = 0; count < 5; count++) await scene.call('POST', `/triggers/${id}/run`, {})
    const all = (await settled(id)).map((delivery) => delivery.id)
    const pages: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const query: string = `triggerId=${id}&limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
      const { body }: { body: DeliveryList } = await scene.call<DeliveryList>('GET', `/trigger-deliveries?${query}`)
      pages.push(...body.data.map((delivery) => delivery.id))
      cursor = body.cursor
    }
    expect(pages).toEqual(all)
    const dead = await scene.call<DeliveryList>('GET', `/trigger-deliveries?triggerId=${id}&state=dead`)
    expect(dead.body.data).toEqual([])
  })
})

describe('time', () => {
  it('skips missed runs or makes up for them with one run', async () => {
    const [skips, runs] = [await beside(answering), await beside(answering, { settings: { missed: 'runOnce' } })]
    for (const { id } of [skips, runs]) await dueAt(id, '2026-01-01T09:00:00.000Z')
    await scene.heddle.scheduled(new Date('2026-01-05T12:00:00Z'))
    const [skipped] = await settled(skips.id)
    expect(skipped).toMatchObject({
      state: 'skipped',
      dueDate: '2026-01-05T09:00:00.000Z',
      reason: expect.stringContaining('missed 5 runs from 2026-01-01T09:00:00.000Z to 2026-01-05T09:00:00.000Z'),
    })
    const all = await settled(runs.id)
    expect(all).toMatchObject([
      {
        state: 'succeeded',
        dueDate: '2026-01-05T09:00:00.000Z',
        reason: expect.stringContaining('Makes up for missed runs'),
      },
    ])
  })

  it('ends a trigger at its end date', async () => {
    const { id } = await beside(answering, { settings: { endDate: '2099-01-01T10:00:00.000Z' } })
    await dueAt(id, '2099-01-01T09:00:00.000Z')
    await scene.heddle.scheduled(new Date('2099-01-01T09:00:00Z'))
    expect(await settled(id)).toMatchObject([{ state: 'succeeded' }])
    const { body } = await scene.call<TriggerSummary>('GET', `/triggers/${id}`)
    expect(body).toMatchObject({ state: 'ended', nextDue: null, stateReason: expect.stringContaining('end date') })
  })

  it('runs no paused trigger and no delivery twice', async () => {
    const [paused, active] = [await beside(answering), await beside(answering)]
    await scene.call('POST', `/triggers/${paused.id}/pause`)
    await dueAt(active.id, '2026-02-01T09:00:00.000Z')
    const at = new Date('2026-02-01T09:00:00Z')
    await Promise.all([scene.heddle.scheduled(at), scene.heddle.scheduled(at), scene.heddle.scheduled(at)])
    await scene.heddle.scheduled(at)
    expect(await settled(active.id)).toHaveLength(1)
    expect(await deliveriesOf(paused.id)).toEqual([])
  })

  it('delays runs by a stable random delay', async () => {
    const { id } = await beside(answering, { settings: { jitterSeconds: 3600 } })
    await dueAt(id, '2026-02-01T09:00:00.000Z')
    await scene.heddle.scheduled(new Date('2026-02-01T09:00:00Z'))
    const [waiting] = await settled(id)
    const late = Date.parse(waiting?.nextAttemptDate ?? waiting?.startedDate ?? '') - Date.parse('2026-02-01T09:00:00Z')
    expect(late).toBeGreaterThanOrEqual(0)
    await scene.heddle.scheduled(new Date('2026-02-01T10:01:00Z'))
    expect(await settled(id)).toMatchObject([{ state: 'succeeded' }])
  })
})

describe('a run in progress when the next one is due', () => {
  /** The run of nine o'clock holds until the gate opens; that of ten is due. */
  async function busy(overlap: string) {
    const hold = gate()
    scene.model.reset()
    scene.model.reply({ text: 'nine', before: hold.opened }, { text: 'ten' })
    const { id } = await beside(chain(start(), llm(scene.model.baseUrl)), { settings: { overlap } })
    for (const hour of ['09', '10']) {
      await dueAt(id, `2026-02-01T${hour}:00:00.000Z`)
      await scene.heddle.scheduled(new Date(`2026-02-01T${hour}:00:00Z`))
      await scene.model.received(1)
    }
    const stateOf = async (hour: string) =>
      (await deliveriesOf(id)).find(({ dueDate }) => dueDate.includes(`T${hour}`))?.state
    const becomes = async (hour: string, state: string) => {
      while ((await stateOf(hour)) !== state) await new Promise((resolve) => setTimeout(resolve, 25))
    }
    return { id, hold, stateOf, becomes }
  }

  it('runs both when overlapping runs are allowed', async () => {
    const { hold, becomes, stateOf } = await busy('together')
    await becomes('10', 'succeeded')
    expect(await stateOf('09')).toBe('running')
    hold.open()
    await becomes('09', 'succeeded')
  })

  it('skips the next run with a reason', async () => {
    const { id, hold, becomes } = await busy('skip')
    await becomes('10', 'skipped')
    expect((await deliveriesOf(id))[0]?.reason).toContain('still in progress')
    hold.open()
    await becomes('09', 'succeeded')
    expect(scene.model.requests).toHaveLength(1)
  })

  it('queues the next run until the previous one ends', async () => {
    const { hold, becomes, stateOf } = await busy('queue')
    await scene.heddle.scheduled(new Date('2026-02-01T10:01:00Z'))
    expect(await stateOf('10')).toBe('queued')
    hold.open()
    await becomes('10', 'succeeded')
    expect(await stateOf('09')).toBe('succeeded')
  })
})

describe('failures', () => {
  it('retries failures, gives up, counts them and pauses the trigger', async () => {
    const { id } = await beside(failing, { operations: { retries: 1, retryWaitSeconds: 0, pauseAfter: 2 } })
    for (const day of ['01', '02']) {
      await dueAt(id, `2026-02-${day}T09:00:00.000Z`)
      await scene.heddle.scheduled(new Date(`2026-02-${day}T09:00:00Z`))
      for (;;) if ((await settled(id)).every(({ state }) => state === 'dead')) break
    }
    const all = await deliveriesOf(id)
    expect(all).toMatchObject([
      { state: 'dead', attempts: 2, reason: expect.stringContaining('broken') },
      { state: 'dead', attempts: 2 },
    ])
    const { body } = await scene.call<TriggerSummary>('GET', `/triggers/${id}`)
    expect(body).toMatchObject({
      state: 'failing',
      failuresInRow: 2,
      nextDue: null,
      dead: 0,
      stateReason: expect.stringContaining('2 failures in a row'),
    })
    const runs = await scene.heddle.database.select().from(executions).where(eq(executions.agentflowId, body.flowId))
    expect(runs).toHaveLength(4)
    const { body: resumed } = await scene.call<Trigger>('POST', `/triggers/${id}/resume`)
    expect(resumed).toMatchObject({ state: 'active', failuresInRow: 0, stateReason: null })
  })
})

describe('a delivery whose worker is gone', () => {
  const LONG_AGO = '2026-01-01T00:00:00.000Z'
  const change = (id: string, set: Partial<typeof triggerDeliveries.$inferInsert>) =>
    scene.heddle.database.update(triggerDeliveries).set(set).where(eq(triggerDeliveries.id, id))

  async function done() {
    const { id } = await beside(answering)
    await scene.call('POST', `/triggers/${id}/run`, {})
    const [delivery] = await settled(id)
    // The cron of these tests runs up to minutes ahead: its own schedule must not become due in between.
    await scene.heddle.database.run(sql`update triggers set next_due = '9999-01-01T00:00:00.000Z' where id = ${id}`)
    return { triggerId: id, delivery: delivery as Delivery }
  }

  it('completes a lost delivery whose run has ended', async () => {
    const { triggerId, delivery } = await done()
    await change(delivery.id, { state: 'running', finishedDate: null, response: null })
    await scene.heddle.scheduled()
    expect(await settled(triggerId)).toMatchObject([{ state: 'succeeded', executionId: delivery.executionId }])
    const { body } = await scene.call<DeliveryDetail>('GET', `/trigger-deliveries/${delivery.id}`)
    expect(body.response).toEqual({ status: 200, body: 'Yes, Go' })
  })

  it('restarts a lost delivery whose run never started', async () => {
    const { triggerId, delivery } = await done()
    await scene.call('DELETE', '/executions', { executionIds: [delivery.executionId] })
    await change(delivery.id, { state: 'running', finishedDate: null, startedDate: LONG_AGO })
    await scene.heddle.scheduled()
    expect(await settled(triggerId)).toMatchObject([{ state: 'succeeded', attempts: 1 }])
    expect((await scene.row(delivery.executionId as string)).state).toBe('FINISHED')
  })

  it('continues a lost delivery from the log of its run', async () => {
    const { triggerId, delivery } = await done()
    const { executionId } = delivery
    await scene.heddle.database.run(sql`
      update executions set state = 'INPROGRESS', lease_expires_date = ${`${LONG_AGO}#0`} where id = ${executionId}`)
    await scene.heddle.database.run(
      sql`delete from chat_messages where execution_id = ${executionId} and role = 'apiMessage'`,
    )
    await change(delivery.id, { state: 'running', finishedDate: null, startedDate: LONG_AGO })
    await scene.heddle.scheduled()
    // Whoever was faster, the area of runs or this one: the next minute closes what is still open.
    while ((await scene.row(executionId as string)).state !== 'FINISHED')
      await new Promise((resolve) => setTimeout(resolve, 25))
    await scene.heddle.scheduled()
    expect(await settled(triggerId)).toMatchObject([{ state: 'succeeded', attempts: 1, executionId }])
  })

  it('dispatches a delivery again when its instance never claimed it', async () => {
    const { triggerId, delivery } = await done()
    await scene.call('DELETE', '/executions', { executionIds: [delivery.executionId] })
    const handed = new Date(Date.now() - 60_000)
    await change(delivery.id, { state: 'queued', attempts: 0, finishedDate: null, handedDate: handed.toISOString() })
    await scene.heddle.scheduled()
    expect(await deliveriesOf(triggerId)).toMatchObject([{ state: 'queued' }])
    await scene.heddle.scheduled(new Date(handed.getTime() + 6 * 60_000))
    expect(await settled(triggerId)).toMatchObject([{ state: 'succeeded', attempts: 1 }])
  })
})

it('deletes deliveries after their retention period', async () => {
  const { id } = await beside(answering, { operations: { keepDays: 1 } })
  await dueAt(id, '2026-02-01T09:00:00.000Z')
  await scene.heddle.scheduled(new Date('2026-02-01T09:00:00Z'))
  await settled(id)
  await scene.heddle.database.run(sql`update triggers set state = 'paused' where id = ${id}`)
  await scene.heddle.scheduled(new Date('2026-02-02T08:59:00Z'))
  expect(await deliveriesOf(id)).toHaveLength(1)
  await scene.heddle.scheduled(new Date('2026-02-02T09:01:00Z'))
  expect(await deliveriesOf(id)).toHaveLength(0)
})

describe('Flowise endpoints for the schedule of a flow', () => {
  it('get, enable and disable the schedule', async () => {
    const flowId = await scene.save(daily())
    const status = () => scene.call<Record<string, unknown>>('GET', `/chatflows/${flowId}/schedule/status`)
    expect((await status()).body).toMatchObject({
      enabled: true,
      canEnable: true,
      record: {
        targetId: flowId,
        cronExpression: '0 9 * * *',
        timezone: 'UTC',
        scheduleInputMode: 'text',
        defaultInput: 'Report',
      },
    })
    const { body } = await scene.call('PATCH', `/chatflows/${flowId}/schedule/enabled`, { enabled: false })
    expect(body).toMatchObject({ enabled: false, nextRunAt: null })
    await scene.call('PATCH', `/chatflows/${flowId}/schedule/enabled`, { enabled: true })
    expect((await status()).body).toMatchObject({ enabled: true })
    const plain = await scene.save(answering)
    const none = await scene.call('GET', `/chatflows/${plain}/schedule/status`)
    expect(none.body).toMatchObject({ enabled: false, canEnable: false, record: null })
    expect((await scene.call('PATCH', `/chatflows/${plain}/schedule/enabled`, { enabled: true })).status).toBe(404)
  })

  it('list and delete the logs of the schedule', async () => {
    const flowId = await scene.save(daily())
    const { id } = await onlyOf(flowId)
    await scene.call('POST', `/triggers/${id}/run`, {})
    const [delivery] = await settled(id)
    const logs = `/chatflows/${flowId}/schedule/trigger-logs`
    expect((await scene.call('GET', `${logs}?status=SUCCEEDED`)).body).toMatchObject({
      data: [{ id: delivery?.id, status: 'SUCCEEDED', executionId: delivery?.executionId }],
      total: 1,
      page: 1,
      limit: 20,
    })
    expect((await scene.call('GET', `${logs}?status=FAILED`)).body).toMatchObject({ total: 0 })
    const { body } = await scene.call('DELETE', logs, { logIds: [delivery?.id] })
    expect(body).toEqual({ success: true, deletedLogs: 1, deletedExecutions: 1 })
    expect(await deliveriesOf(id)).toEqual([])
  })
})

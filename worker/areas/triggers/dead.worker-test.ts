/** Deliveries of the whole workspace that were given up, in one list. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DeadDeliveryList, Delivery, DeliveryDetail, Trigger } from '#contract/triggers/index.ts'
import type { TestClient } from '#worker/local/testing/heddle.ts'
import { chain, code, directReply, start } from '../../../e2e/support/flows.ts'
import { joinWorkspace } from '../../http/testing/people.ts'
import { openScene, type Scene } from '../predictions/testing/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.close())

const failing = chain(start(), code('throw new Error("broken")'))
const settings = { kind: 'schedule', cron: '0 9 * * *', input: { mode: 'text', text: 'Go' } }

async function triggerOf(name: string, flow = failing, client?: TestClient): Promise<Trigger> {
  const fields = { name: `Flow of ${name}`, flowData: JSON.stringify(flow), type: 'AGENTFLOW' }
  const { body } = await scene.call<{ id: string }>('POST', '/chatflows', fields, client)
  return (await scene.call<Trigger>('POST', '/triggers', { flowId: body.id, name, settings }, client)).body
}

/** Starts it by hand and waits until it has ended. @returns the delivery's id */
async function run(path: string, client?: TestClient): Promise<string> {
  const { id } = (await scene.call<Delivery>('POST', path, {}, client)).body
  for (;;) {
    const { state } = (await scene.call<DeliveryDetail>('GET', `/trigger-deliveries/${id}`, undefined, client)).body
    if (state !== 'queued' && state !== 'running') return id
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

const deadOf = async (query = '', client?: TestClient) =>
  (await scene.call<DeadDeliveryList>('GET', `/trigger-deliveries/dead${query}`, undefined, client)).body

it('lists the dead deliveries of all triggers in pages, newest first, with their latest replay', async () => {
  const [first, second] = [await triggerOf('First'), await triggerOf('Second')]
  const fine = await triggerOf('Fine', chain(start(), directReply('Yes')))
  await run(`/triggers/${fine.id}/run`)
  const [a, b] = [await run(`/triggers/${first.id}/run`), await run(`/triggers/${second.id}/run`)]
  const all = await deadOf()
  expect(all).toMatchObject({
    data: [
      { id: b, state: 'dead', attempts: 1, trigger: { id: second.id, name: 'Second', kind: 'schedule' } },
      { id: a, reason: expect.stringContaining('broken'), flow: { name: 'Flow of First' }, lastReplay: null },
    ],
    cursor: null,
  })

  await scene.call('PUT', `/chatflows/${first.flowId}`, {
    flowData: JSON.stringify(chain(start(), directReply('Mended'))),
  })
  await run(`/trigger-deliveries/${b}/replay`)
  const mended = await run(`/trigger-deliveries/${a}/replay`)
  const pages: DeadDeliveryList['data'] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: DeadDeliveryList = await deadOf(`?limit=1${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
    expect(page.data).toHaveLength(1)
    pages.push(...page.data)
    cursor = page.cursor
  }
  expect(pages).toMatchObject([
    { replayOf: b, lastReplay: null },
    { id: b, lastReplay: { id: pages[0]?.id, state: 'dead' } },
    { id: a, lastReplay: { id: mended, state: 'succeeded' } },
  ])
})

it('lists no dead deliveries of another workspace', async () => {
  const outsider = await scene.heddle.signUp()
  const theirs = await triggerOf('Theirs', failing, outsider)
  const id = await run(`/triggers/${theirs.id}/run`, outsider)
  expect((await deadOf('', outsider)).data.map((delivery) => delivery.id)).toEqual([id])
  expect((await deadOf()).data.map((delivery) => delivery.id)).not.toContain(id)
})

it('lists only dead deliveries of flows that the caller may view', async () => {
  const trigger = await triggerOf('Guarded')
  const id = await run(`/triggers/${trigger.id}/run`)
  const member = await scene.heddle.signUp()
  const { setPermissions } = await joinWorkspace(scene.heddle, member, scene.ann)
  await setPermissions(['executions:view'])
  expect((await scene.call('GET', '/trigger-deliveries/dead', undefined, member)).status).toBe(403)
  await setPermissions(['chatflows:view'])
  expect((await deadOf('', member)).data).toEqual([])
  await setPermissions(['agentflows:view'])
  expect((await deadOf('', member)).data.map((delivery) => delivery.id)).toContain(id)
  expect((await scene.call('POST', `/trigger-deliveries/${id}/replay`, {}, member)).status).toBe(403)
})

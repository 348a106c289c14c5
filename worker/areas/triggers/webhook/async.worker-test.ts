// @defends callback-reaches-private
/** Deliveries whose senders do not wait: the status address, and callbacks to a receiver that answers as scripted. */
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { WebhookSettings } from '#contract/triggers/settings.ts'
import { chain, code, directReply, edge, node, start } from '../../../../e2e/support/flows.ts'
import { openScene, type Scene } from '../../predictions/testing/scene.ts'
import { addHook, deliveriesOf, echo, type HookOptions, SECRET, send, signed } from './testing/webhooks.ts'

interface Call {
  path: string | undefined
  headers: Record<string, string | string[] | undefined>
  text: string
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** Takes callbacks; answers 200 unless it was told otherwise. */
async function startReceiver() {
  const calls: Call[] = []
  const answers: { status: number; location?: string }[] = []
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    calls.push({ path: request.url, headers: request.headers, text: Buffer.concat(pieces).toString() })
    const { status, location } = answers.shift() ?? { status: 200 }
    response.writeHead(status, location === undefined ? {} : { location }).end('thanks')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    host: `127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}/callback`,
    calls,
    answers,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

let receiver: Receiver
let scene: Scene
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
  receiver.answers.length = 0
})

const settings = (more: Partial<WebhookSettings> = {}): Partial<WebhookSettings> => ({
  response: 'async',
  input: { mode: 'text', text: 'Hello {{ $webhook.body.name }}' },
  callbackUrl: receiver.url,
  ...more,
})

async function deliver(options: HookOptions, body: object = { name: 'Ann' }) {
  const { id } = await addHook(scene, { secret: SECRET, ...options, settings: { ...settings(), ...options.settings } })
  const text = JSON.stringify(body)
  const headers = signed(options.settings?.signature ?? 'none', text)
  return { id, accepted: await send(scene, id, { body: text, headers }) }
}

const pathOf = (url: unknown) => new URL(url as string).pathname

async function status(url: unknown) {
  const response = await scene.heddle.fetch(pathOf(url))
  return (await response.json()) as Record<string, unknown>
}

const called = (count: number) => expect.poll(() => receiver.calls.length, { timeout: 20_000 }).toBe(count)

const callbackOf = (triggerId: string) => async () => (await deliveriesOf(scene, triggerId))[0]?.callback

const human = node('humanInputAgentflow', 0, { humanInputDescriptionType: 'fixed', humanInputDescription: 'May I?' })

describe('an async delivery', () => {
  it('accepts the delivery at once and reports its status', async () => {
    const { id, accepted } = await deliver({ settings: { callbackUrl: null } })
    expect(accepted.status).toBe(202)
    const { deliveryId, chatId, statusUrl } = accepted.body
    expect(accepted.body).toEqual({
      chatId: expect.any(String),
      status: 'PROCESSING',
      deliveryId: expect.any(String),
      statusUrl: `${scene.heddle.url}/api/v1/webhook/${id}/deliveries/${deliveryId}`,
    })
    await expect.poll(() => status(statusUrl), { timeout: 10_000 }).toMatchObject({ status: 'SUCCESS' })
    expect(await status(statusUrl)).toMatchObject({
      deliveryId,
      chatId,
      data: { text: 'Hello Ann', question: 'Hello Ann', chatId, agentFlowExecutedData: [{}, {}] },
    })
    expect((await deliveriesOf(scene, id))[0]).toMatchObject({ state: 'succeeded', attempts: 1, callback: null })
  })

  it('shows the status only under the right webhook and delivery id', async () => {
    const { id, accepted } = await deliver({ settings: { callbackUrl: null, signature: 'github' } })
    const other = await addHook(scene)
    const { deliveryId } = accepted.body
    await send(scene, id, {})
    const refused = (await deliveriesOf(scene, id)).find(({ state }) => state === 'refused')
    for (const path of [
      `${other.id}/deliveries/${deliveryId}`,
      `${id}/deliveries/${refused?.id}`,
      `${id}/deliveries/x`,
    ]) {
      expect((await scene.heddle.fetch(`/api/v1/webhook/${path}`)).status).toBe(404)
    }
  })

  it('sends a callback with both signatures', async () => {
    const { id, accepted } = await deliver({})
    await called(1)
    const { headers, text } = receiver.calls[0] as Call
    const { chatId, deliveryId } = accepted.body
    expect(JSON.parse(text)).toMatchObject({ status: 'SUCCESS', chatId, data: { text: 'Hello Ann' } })
    const hmac = (prefix: string) =>
      createHmac('sha256', SECRET)
        .update(prefix + text)
        .digest('hex')
    expect(headers['x-flowise-signature']).toBe(`sha256=${hmac('')}`)
    const [, seconds] = /^t=(\d+),v1=/.exec(headers['x-heddle-signature'] as string) ?? []
    expect(headers['x-heddle-signature']).toBe(`t=${seconds},v1=${hmac(`${seconds}.`)}`)
    expect(headers['x-heddle-delivery']).toBe(deliveryId)
    await expect
      .poll(callbackOf(id))
      .toEqual({ url: receiver.url, attempts: 1, status: 200, error: null, isDelivered: true })
  })

  it('retries the callback at the configured URL only', async () => {
    receiver.answers.push({ status: 503 }, { status: 307, location: `${receiver.url}/elsewhere` })
    const { id } = await deliver({})
    await called(3)
    await expect.poll(callbackOf(id)).toMatchObject({ attempts: 3, status: 200, isDelivered: true })
    expect(new Set(receiver.calls.map(({ text }) => text)).size).toBe(1)
    expect(receiver.calls.map(({ path }) => path)).toEqual(Array(3).fill('/callback'))
  })

  it('reports a failed run as an error', async () => {
    const flow = chain(start(), code('throw new Error("broken")'))
    const { id, accepted } = await deliver({ flow })
    await called(1)
    const told = JSON.parse((receiver.calls[0] as Call).text)
    expect(told).toMatchObject({ status: 'ERROR', error: expect.stringContaining('broken') })
    expect(await status(accepted.body.statusUrl)).toMatchObject(told)
    expect((await deliveriesOf(scene, id))[0]).toMatchObject({ state: 'dead' })
  })

  it('reports a waiting run, and its result when it continues', async () => {
    const [begin, yes] = [start(), directReply('yes, {{ $webhook.body.name }}')]
    const flow = { nodes: [begin, human, yes], edges: [edge(begin, human), edge(human, yes, 0)] }
    const { id, accepted } = await deliver({ flow })
    await called(1)
    const { chatId, statusUrl } = accepted.body
    expect(JSON.parse((receiver.calls[0] as Call).text)).toMatchObject({
      status: 'STOPPED',
      chatId,
      data: { text: expect.stringContaining('May I?'), action: { data: { nodeId: 'humanInputAgentflow_0' } } },
    })
    expect(await status(statusUrl)).toMatchObject({ status: 'STOPPED' })
    const answered = await send(scene, id, { body: { chatId, humanInput: { type: 'proceed' } } })
    expect(answered).toMatchObject({ status: 202, body: { chatId, statusUrl } })
    await called(2)
    expect(JSON.parse((receiver.calls[1] as Call).text)).toMatchObject({
      status: 'SUCCESS',
      data: { text: 'yes, Ann' },
    })
    expect(await status(statusUrl)).toMatchObject({ status: 'SUCCESS', data: { text: 'yes, Ann' } })
  })
})

describe('a callback', () => {
  it('never sends a callback to a private network', async () => {
    const { id } = await deliver({ settings: { callbackUrl: 'http://169.254.169.254/latest/meta-data' } })
    await expect.poll(callbackOf(id), { timeout: 10_000 }).toMatchObject({
      status: null,
      isDelivered: false,
      error: expect.stringContaining('169.254.169.254'),
    })
  })

  it('sends an unsigned callback when there is no secret', async () => {
    const { id } = await addHook(scene, { flow: echo(), settings: settings() })
    expect((await send(scene, id, { body: { name: 'Ann' } })).status).toBe(202)
    await called(1)
    const names = Object.keys((receiver.calls[0] as Call).headers)
    expect(names.filter((name) => name.includes('signature'))).toEqual([])
  })
})

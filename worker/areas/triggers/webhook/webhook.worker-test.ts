// @defends webhook-request-forged
// @defends webhook-body-read
// @defends secrets-remain-recorded
// @defends anonymous-fills-database
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Delivery, DeliveryDetail, DeliveryList } from '#contract/triggers/index.ts'
import { SIGNATURES, type Signature } from '#contract/triggers/settings.ts'
import { chatflows, rateLimits, triggerReceipts, triggers } from '#db/schema/index.ts'
import { chain, code, directReply, edge, llm, node, start } from '../../../../e2e/support/flows.ts'
import { eventsOf, openScene, type Scene } from '../../predictions/testing/scene.ts'
import { GITHUB, type SignedRequest, SLACK, STRIPE } from './testing/signed-requests.ts'
import { addHook, deliveriesOf, SECRET, send, signed } from './testing/webhooks.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.close())

const text = { mode: 'text', text: 'Hello {{ $webhook.body.name }}' } as const

describe('an accepted delivery', () => {
  it('accepts a body of the maximum size, whose JSON is twice as long', async () => {
    const maxBytes = 4 * 1024 * 1024
    const contentType = 'application/x-www-form-urlencoded' as const
    const flow = chain(start(), directReply('Taken'))
    const { id } = await addHook(scene, { flow, settings: { maxBytes, contentType, input: { mode: 'payload' } } })
    const value = '"'.repeat(maxBytes - 2)
    const reply = await send(scene, id, { body: `a=${value}`, headers: { 'content-type': contentType } })
    expect(reply.status).toBe(200)
    const [delivery] = await deliveriesOf(scene, id)
    expect(delivery).toMatchObject({ state: 'succeeded', request: { isCut: true } })
    const { status, body: shown } = await scene.call<DeliveryDetail>('GET', `/trigger-deliveries/${delivery?.id}`)
    expect(status).toBe(200)
    const isValue = (body: unknown) => (body as { a?: string } | undefined)?.a === value
    expect(isValue(shown.payload?.webhook?.body)).toBe(true)
    const run = await scene.execution(reply.body.executionId as string)
    expect(isValue(JSON.parse(run.question ?? ''))).toBe(true)
    const { body: again } = await scene.call<Delivery>('POST', `/trigger-deliveries/${delivery?.id}/replay`, {})
    const states = async () => {
      const { body: list } = await scene.call<DeliveryList>('GET', `/trigger-deliveries?triggerId=${id}`)
      return list.data.map((each) => [each.id, each.state])
    }
    await expect.poll(states, { timeout: 20_000 }).toContainEqual([again.id, 'succeeded'])
  })

  it('runs the flow and answers like a prediction', async () => {
    const { id, flowId } = await addHook(scene, { settings: { input: text } })
    const { status, body } = await send(scene, id, { body: { name: 'Ann' } })
    expect(status).toBe(200)
    expect(body).toMatchObject({ text: 'Hello Ann', question: 'Hello Ann', chatId: expect.any(String) })
    const execution = await scene.row(body.executionId as string)
    expect(execution).toMatchObject({ agentflowId: flowId, state: 'FINISHED' })
    const [delivery] = await deliveriesOf(scene, id)
    expect(delivery).toMatchObject({
      state: 'succeeded',
      source: 'webhook',
      attempts: 1,
      executionId: body.executionId,
      response: { status: 200, body: 'Hello Ann' },
      request: { method: 'POST', body: '{"name":"Ann"}', isCut: false },
      payload: { webhook: { body: { name: 'Ann' }, query: {} } },
    })
    const messages = await scene.messagesOf(body.executionId as string)
    expect(messages.map(({ role, chatType }) => [role, chatType])).toEqual([
      ['userMessage', 'WEBHOOK'],
      ['apiMessage', 'WEBHOOK'],
    ])
  })
})

const proving = SIGNATURES.filter((signature) => signature !== 'none')
const timed: Signature[] = ['heddle', 'stripe', 'slack']
const now = () => Math.floor(Date.now() / 1000)

/** What was wrong with each refused request, which its owner is told, not its sender. It is written after the answer. */
const reasonsOf = async (id: string) =>
  (await deliveriesOf(scene, id)).filter(({ state }) => state === 'refused').map(({ reason }) => reason)

describe.each(proving)('signed as %s', (signature) => {
  const body = '{"name": "Ann",\n "n":1.0}'
  const open = async () => (await addHook(scene, { settings: { signature, input: text }, secret: SECRET })).id

  it('accepts a delivery only once', async () => {
    const id = await open()
    const headers = signed(signature, body)
    expect(await send(scene, id, { body, headers })).toMatchObject({ status: 200, body: { text: 'Hello Ann' } })
    expect(await send(scene, id, { body, headers })).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('already received') },
    })
    expect((await deliveriesOf(scene, id)).map(({ state }) => state).toSorted()).toEqual(['refused', 'succeeded'])
  })

  it('rejects a changed body and an unsigned request', async () => {
    const id = await open()
    const headers = signed(signature, body)
    if (signature !== 'plain-token') {
      expect(await send(scene, id, { body: body.replace('Ann', 'Eve'), headers })).toMatchObject({ status: 401 })
      expect(await send(scene, id, { body: JSON.stringify(JSON.parse(body)), headers })).toMatchObject({ status: 401 })
    }
    expect(await send(scene, id, { body })).toMatchObject({ status: 401 })
    expect(await send(scene, id, { body, headers: signed(signature, body, { secret: 'guessed' }) })).toMatchObject({
      status: 401,
    })
    await expect.poll(() => reasonsOf(id)).toHaveLength(signature === 'plain-token' ? 2 : 4)
    const kept = await deliveriesOf(scene, id)
    expect(new Set(kept.map(({ state }) => state))).toEqual(new Set(['refused']))
    expect(kept.every(({ reason, executionId, payload }) => reason && !executionId && !payload)).toBe(true)
    expect(JSON.stringify(kept)).not.toContain(
      headers[Object.keys(headers).find((name) => /sig|hmac/.test(name)) ?? ''],
    )
  })

  it('accepts the previous secret while it is valid', async () => {
    const id = await open()
    const rotate = (json: object) => scene.call<{ secret: string }>('POST', `/triggers/${id}/secret`, json)
    const newer = (await rotate({ overlapHours: 1 })).body.secret
    let seconds = now()
    const status = async (secret: string) => {
      seconds--
      const other = JSON.stringify({ name: `Ann ${seconds}` })
      return (await send(scene, id, { body: other, headers: signed(signature, other, { secret, seconds }) })).status
    }
    expect(await status(newer)).toBe(200)
    expect(await status(SECRET)).toBe(200)
    const newest = (await rotate({ overlapHours: 0 })).body.secret
    expect(await status(newest)).toBe(200)
    expect([await status(SECRET), await status(newer)]).toEqual([401, 401])
    await scene.ann.fetch(`/api/v1/triggers/${id}/secret`, { method: 'DELETE' })
    expect(await status(newest)).toBe(401)
  })
})

it('rejects a captured GitHub request with a new id', async () => {
  const { id } = await addHook(scene, { settings: { signature: 'github' }, secret: SECRET })
  const caught = signed('github', '{"action":"opened"}')
  const again = { ...caught, 'x-github-delivery': crypto.randomUUID() }
  expect((await send(scene, id, { body: '{"action":"opened"}', headers: caught })).status).toBe(200)
  expect((await send(scene, id, { body: '{"action":"opened"}', headers: again })).status).toBe(409)
})

it.each(timed)('signed as %s is not taken too late, or before its time', async (signature) => {
  const body = '{"name":"Ann"}'
  const { id } = await addHook(scene, { settings: { signature }, secret: SECRET })
  const at = (seconds: number) => send(scene, id, { body, headers: signed(signature, body, { seconds }) })
  expect(await at(now() - 400)).toMatchObject({ status: 401 })
  await expect.poll(() => reasonsOf(id)).toEqual([expect.stringContaining('ago')])
  expect(await at(now() + 400)).toMatchObject({ status: 401 })
  await expect.poll(() => reasonsOf(id)).toContainEqual(expect.stringContaining('future'))
  expect(await at(now() - 200)).toMatchObject({ status: 200 })
})

describe('published signature examples', () => {
  const deliveryStatusOf = async ({ signature, secrets, body, headers }: SignedRequest, sent = body) => {
    const type = signature === 'slack' ? 'application/x-www-form-urlencoded' : 'application/json'
    const { id } = await addHook(scene, { settings: { signature, contentType: type }, secret: secrets[0] as string })
    const answer = await send(scene, id, { body: sent, headers: { ...headers, 'content-type': type } })
    await expect.poll(() => reasonsOf(id)).toHaveLength(1)
    return [answer.status, ...(await reasonsOf(id))]
  }
  const forged = [401, expect.stringContaining('does not match')]

  it('verifies GitHub’s example, whose body is not JSON', async () => {
    expect(await deliveryStatusOf(GITHUB)).toEqual([400, 'The body is not valid JSON'])
    expect(await deliveryStatusOf(GITHUB, 'Hello, World?')).toEqual(forged)
  })

  it.each([SLACK, STRIPE])('rejects the $signature example because it is too old', async (request) => {
    expect(await deliveryStatusOf(request)).toEqual([401, expect.stringContaining('signed more than 300 seconds ago')])
    expect(await deliveryStatusOf(request, `${request.body} `)).toEqual(forged)
  })
})

describe('behaviour of known senders', () => {
  it('treats a Stripe event with a new signature as the same delivery', async () => {
    const { id } = await addHook(scene, { settings: { signature: 'stripe' }, secret: SECRET })
    const body = JSON.stringify({ id: 'evt_1', type: 'charge.succeeded' })
    const at = async (seconds: number) =>
      (await send(scene, id, { body, headers: signed('stripe', body, { seconds }) })).status
    expect([await at(now() - 20), await at(now())]).toEqual([200, 409])
  })

  it('accepts one of two signatures while Stripe rotates its secret', async () => {
    const { id } = await addHook(scene, { settings: { signature: 'stripe' }, secret: SECRET })
    const mine = signed('stripe', '{}')['stripe-signature'] as string
    const headers = { 'stripe-signature': mine.replace(',v1=', `,v1=${'0'.repeat(64)},v1=`) }
    expect((await send(scene, id, { body: '{}', headers })).status).toBe(200)
    expect((await send(scene, id, { body: '{}', headers: { 'stripe-signature': mine } })).status).toBe(409)
  })

  it('answers GitHub’s ping without a run', async () => {
    const { id } = await addHook(scene, { settings: { signature: 'github' }, secret: SECRET })
    const body = JSON.stringify({ zen: 'Keep it logically awesome.' })
    const ping = { ...signed('github', body), 'x-github-event': 'ping' }
    expect(await send(scene, id, { body, headers: ping })).toMatchObject({ status: 200, body: { message: 'pong' } })
    expect((await send(scene, id, { body, headers: { 'x-github-event': 'ping' } })).status).toBe(401)
    await expect.poll(() => reasonsOf(id)).toHaveLength(1)
    const kept = await deliveriesOf(scene, id)
    expect(kept.map(({ state }) => state).toSorted()).toEqual(['refused', 'skipped'])
    for (const delivery of kept) {
      expect((await scene.call('POST', `/trigger-deliveries/${delivery.id}/replay`, {})).status).toBe(409)
    }
  })

  it('keeps address and secret when the Start node is replaced', async () => {
    const flow = chain(start({ startInputType: 'webhookTrigger', webhookInputMode: 'none' }), directReply('Yes'))
    const flowId = await scene.save(flow)
    const renamed = JSON.stringify(flow).replaceAll('startAgentflow_0', 'startAgentflow_7')
    await scene.call('PUT', `/chatflows/${flowId}`, { flowData: renamed })
    const rows = await scene.heddle.database.select().from(triggers).where(eq(triggers.flowId, flowId))
    expect(rows.map(({ nodeId, state }) => [nodeId, state]).toSorted()).toEqual([
      ['startAgentflow_0', 'ended'],
      ['startAgentflow_7', 'active'],
    ])
    expect((await send(scene, flowId, {})).status).toBe(200)
    await scene.call('POST', `/chatflows/${flowId}/webhook-secret`, {})
    const [active] = await scene.heddle.database.select().from(triggers).where(eq(triggers.nodeId, 'startAgentflow_7'))
    expect(active?.encryptedSecrets).not.toBeNull()
  })

  it('answers Slack’s URL verification', async () => {
    const { id } = await addHook(scene, { settings: { signature: 'slack' }, secret: SECRET })
    const body = JSON.stringify({ type: 'url_verification', challenge: 'c0ffee' })
    const answer = await send(scene, id, { body, headers: signed('slack', body) })
    expect(answer).toMatchObject({ status: 200, body: { challenge: 'c0ffee' } })
    expect((await send(scene, id, { body })).status).toBe(401)
  })

  it('reads JSON that GitHub and Slack send in a form', async () => {
    const { id } = await addHook(scene, {
      settings: { signature: 'github', contentType: 'application/x-www-form-urlencoded', input: text },
      secret: SECRET,
    })
    const body = new URLSearchParams({ payload: JSON.stringify({ name: 'Ann' }) }).toString()
    const headers = { ...signed('github', body), 'content-type': 'application/x-www-form-urlencoded' }
    expect(await send(scene, id, { body, headers })).toMatchObject({ status: 200, body: { text: 'Hello Ann' } })
  })

  it('accepts a failed delivery again', async () => {
    const fails = chain(start(), code('throw new Error("broken")'))
    const { id } = await addHook(scene, { flow: fails })
    const headers = { 'idempotency-key': 'again' }
    expect(await send(scene, id, { headers })).toMatchObject({
      status: 500,
      body: { message: expect.stringContaining('broken') },
    })
    expect((await send(scene, id, { headers })).status).toBe(500)
    expect((await deliveriesOf(scene, id)).map(({ state }) => state)).toEqual(['dead', 'dead'])
  })

  it('accepts a repeated delivery after a week', async () => {
    const { id } = await addHook(scene)
    const post = async () => (await send(scene, id, { headers: { 'webhook-id': 'weekly' } })).status
    const days = (count: number) => new Date(Date.now() + count * 86_400_000)
    expect(await post()).toBe(200)
    await scene.heddle.scheduled(days(6))
    expect(await post()).toBe(409)
    await scene.heddle.scheduled(days(8))
    expect(await post()).toBe(200)
  })

  it('retries a failed delivery under the same id', async () => {
    scene.model.reply({ error: { status: 400, message: 'not now' } }, { text: 'now' })
    const flow = chain(start(), llm(scene.model.baseUrl))
    const { id } = await addHook(scene, { flow, operations: { retries: 1, retryWaitSeconds: 0 } })
    const headers = { 'idempotency-key': 'once' }
    expect((await send(scene, id, { headers })).status).toBe(500)
    expect((await send(scene, id, { headers })).status).toBe(409)
    const taken = async () => (await deliveriesOf(scene, id)).find(({ payload }) => payload)
    await expect
      .poll(taken, { timeout: 10_000 })
      .toMatchObject({ state: 'succeeded', attempts: 2, response: { body: 'now' } })
  })

  it('accepts one of many parallel requests with the same id', async () => {
    const { id } = await addHook(scene, {})
    const all = await Promise.all(
      Array.from({ length: 12 }, () => send(scene, id, { headers: { 'webhook-id': 'one' } })),
    )
    expect(all.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(11).fill(409)])
    const receipts = await scene.heddle.database.select().from(triggerReceipts).where(eq(triggerReceipts.triggerId, id))
    expect(receipts).toHaveLength(1)
  })
})

describe('an invalid request', () => {
  it('refuses the wrong method and names the right one', async () => {
    const { id } = await addHook(scene, { settings: { method: 'PUT' } })
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE', 'HEAD']) {
      const { status, headers } = await send(scene, id, { method })
      expect([method, status, headers.get('allow')]).toEqual([method, 405, 'PUT'])
    }
    expect((await send(scene, id, { method: 'PUT' })).status).toBe(200)
    expect((await send(scene, id, { method: 'PROPFIND' })).status).toBe(405)
  })

  it.each(['GET', 'DELETE'] as const)('a webhook may take %s without a body', async (method) => {
    const { id } = await addHook(scene, {
      settings: { method, input: { mode: 'text', text: 'Page {{ $webhook.query.page }}' } },
    })
    const { status, body } = await send(scene, id, { method, query: '?page=7', body: '' })
    expect([status, body.text]).toEqual([200, 'Page 7'])
  })

  it.each([
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain',
    'application/json, text/plain',
    'application/json; charset=utf-16',
    'application/vnd.api+json',
  ])('refuses the content type %s', async (type) => {
    const { id } = await addHook(scene)
    const refused = await send(scene, id, { headers: { 'content-type': type } })
    expect(refused).toMatchObject({ status: 415, body: { message: expect.stringContaining('application/json') } })
  })

  it('refuses a compressed body', async () => {
    const { id } = await addHook(scene)
    const bytes = new Uint8Array(
      await new Response(new Blob(['{}']).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer(),
    )
    const response = await scene.heddle.fetch(`/api/v1/webhook/${id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: bytes,
    })
    expect(response.status).toBe(415)
  })

  it.each([
    ['{"a":', /not valid JSON/],
    [`${'['.repeat(500)}${']'.repeat(500)}`, /nested too deeply/],
    ['{"a":"x\\u0000y"}', /body\.a: .*NUL/],
  ])('refuses the body %.20s', async (body, message) => {
    const { id } = await addHook(scene)
    expect(await send(scene, id, { body })).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(message) },
    })
  })

  it('refuses a NUL character in the query and invalid UTF-8', async () => {
    const { id } = await addHook(scene)
    expect(await send(scene, id, { query: '?a=%00' })).toMatchObject({ status: 400, body: { field: 'query.a' } })
    const response = await scene.heddle.fetch(`/api/v1/webhook/${id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Uint8Array.of(0x22, 0xff, 0x22),
    })
    expect(response.status).toBe(400)
  })

  it('refuses a body above the webhook’s limit or the maximum', async () => {
    const { id } = await addHook(scene, { settings: { maxBytes: 100 } })
    expect((await send(scene, id, { body: { a: 'x'.repeat(80) } })).status).toBe(200)
    expect((await send(scene, id, { body: { a: 'x'.repeat(100) } })).status).toBe(413)
    const body = new Blob(['x'.repeat(5 * 1024 * 1024)]).stream()
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body, duplex: 'half' }
    expect((await scene.heddle.fetch(`/api/v1/webhook/${id}`, init as RequestInit)).status).toBe(413)
  })

  it('refuses an invalid body and names the field', async () => {
    const { id } = await addHook(scene, {
      settings: {
        validation: {
          headers: [{ name: 'X-Tenant', required: true }],
          query: [{ name: 'page', required: true }],
          body: [
            { name: 'name', type: 'string', required: true },
            { name: 'tags', type: 'array[string]', required: false },
          ],
        },
      },
    })
    const sent = { headers: { 'x-tenant': 'a' }, query: '?page=1', body: { name: 'Ann', tags: ['x'] } }
    expect((await send(scene, id, sent)).status).toBe(200)
    const field = async (more: object) => {
      const { status, body } = await send(scene, id, { ...sent, ...more })
      return [status, body.field]
    }
    expect(await field({ headers: {} })).toEqual([400, 'headers.X-Tenant'])
    expect(await field({ query: '' })).toEqual([400, 'query.page'])
    expect(await field({ body: {} })).toEqual([400, 'body.name'])
    expect(await field({ body: '{"__proto__":{"name":"x"}}' })).toEqual([400, 'body.name'])
    expect(await field({ body: { name: 7 } })).toEqual([400, 'body.name'])
    expect(await field({ body: { name: 'x', tags: ['a', 1] } })).toEqual([400, 'body.tags'])
  })
})

describe('an address', () => {
  it('answers 401 for an unknown address', async () => {
    for (const address of [crypto.randomUUID(), 'x', '__proto__', '%00', "' or 1=1 --"]) {
      const { status, body } = await send(scene, encodeURIComponent(address), {})
      expect(status).toBe(401)
      expect(body.message).toContain('No webhook at this address takes this request')
    }
  })

  it('accepts the id of a flow whose Start node is a webhook', async () => {
    const beside = await addHook(scene)
    expect((await send(scene, beside.flowId, {})).status).toBe(401)
    const bound = await addHook(scene, { more: { nodeId: 'startAgentflow_0' } })
    expect((await send(scene, bound.flowId, {})).status).toBe(200)
    expect((await send(scene, bound.id, {})).status).toBe(200)
  })

  it('refuses its sender with the reason while the webhook is paused or has ended, and anybody without', async () => {
    const { id } = await addHook(scene, { settings: { signature: 'heddle' }, secret: SECRET })
    const sendSigned = () => send(scene, id, { body: '{}', headers: signed('heddle', '{}') })
    const set = (state: typeof triggers.$inferInsert.state) =>
      scene.heddle.database.update(triggers).set({ state, stateReason: 'internal words' }).where(eq(triggers.id, id))
    for (const [state, status] of [
      ['paused', 409],
      ['failing', 409],
      ['ended', 404],
    ] as const) {
      await set(state)
      const refused = await sendSigned()
      expect(refused.status).toBe(status)
      expect(refused.text).not.toContain('internal words')
    }
    await set('active')
    expect((await sendSigned()).status).toBe(200)
    expect((await deliveriesOf(scene, id)).map(({ state }) => state)).toEqual([
      'succeeded',
      'refused',
      'refused',
      'refused',
    ])
    const unsigned = await addHook(scene)
    await scene.heddle.database.update(triggers).set({ state: 'paused' }).where(eq(triggers.id, unsigned.id))
    expect((await send(scene, unsigned.id, {})).status).toBe(401)
    await expect.poll(() => reasonsOf(unsigned.id)).toEqual([expect.stringContaining('paused')])
  })

  it('refuses requests for a flow type that cannot run', async () => {
    const { id, flowId } = await addHook(scene)
    await scene.heddle.database.update(chatflows).set({ type: 'MULTIAGENT' }).where(eq(chatflows.id, flowId))
    expect(await send(scene, id, {})).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('Rebuild it as an agent flow') },
    })
  })
})

describe('limits', () => {
  it('answers 429 with the time to wait above the webhook’s limit', async () => {
    const { id } = await addHook(scene, { operations: { perMinute: 2 } })
    const answers = [await send(scene, id, {}), await send(scene, id, {}), await send(scene, id, {})]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
    expect(Number(answers[2]?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await deliveriesOf(scene, id)).map(({ state }) => state).toSorted()).toEqual([
      'refused',
      'succeeded',
      'succeeded',
    ])
  })

  it('shares the limit of a workspace among its webhooks', async () => {
    const [one, two] = [await addHook(scene), await addHook(scene)]
    const limit = (perMinute: number | null) => scene.call('PUT', '/workspace/trigger-limits', { perMinute })
    await limit(3)
    expect((await scene.call('GET', '/workspace/trigger-limits')).body).toEqual({ perMinute: 3 })
    expect(await (await (await scene.heddle.signUp()).fetch('/api/v1/workspace/trigger-limits')).json()).toEqual({
      perMinute: null,
    })
    const statuses = []
    for (const { id } of [one, two, one, two]) statuses.push((await send(scene, id, {})).status)
    expect(statuses).toEqual([200, 200, 200, 429])
    await limit(null)
    expect((await send(scene, two.id, {})).status).toBe(200)
    expect(
      (await scene.call<{ field: string }>('PUT', '/workspace/trigger-limits', { perMinute: 0 })).body,
    ).toMatchObject({
      statusCode: 400,
      field: 'perMinute',
    })
  })

  it('ignores unsigned requests in limits and stores few of them', async () => {
    const { id } = await addHook(scene, {
      settings: { signature: 'github' },
      operations: { perMinute: 2 },
      secret: SECRET,
    })
    const windowsBefore = await scene.heddle.database.$count(rateLimits)
    const forged = await Promise.all(
      Array.from({ length: 40 }, () => send(scene, id, { headers: signed('github', '{}', { secret: 'guessed' }) })),
    )
    expect(new Set(forged.map(({ status }) => status))).toEqual(new Set([401]))
    // They are stored behind the answer.
    await expect.poll(async () => (await deliveriesOf(scene, id)).length).toBe(10)
    expect((await send(scene, id, { body: '{', headers: signed('github', '{') })).status).toBe(400)
    expect(await deliveriesOf(scene, id)).toHaveLength(11)
    expect((await send(scene, id, { body: '{}', headers: signed('github', '{}') })).status).toBe(200)
    expect(await scene.heddle.database.$count(rateLimits)).toBe(windowsBefore + 5)
  })
})

describe('stored requests', () => {
  it('redacts secrets for the monitor and the flow', async () => {
    const secret = 'f00d-is-secret'
    const show =
      '{{ $webhook.headers.authorization }} {{ $webhook.headers.cookie }} {{ $webhook.query.access_token }} {{ $webhook.query.page }}'
    const { id } = await addHook(scene, {
      settings: { signature: 'plain-token', signatureHeader: 'X-Mine', input: { mode: 'text', text: show } },
      secret,
    })
    const headers = {
      'x-mine': secret,
      authorization: `Bearer ${secret}`,
      cookie: `session=${secret}`,
      'x-api-key': secret,
      'x-gitlab-token': secret,
    }
    const { body } = await send(scene, id, { headers, query: `?access_token=${secret}&page=2` })
    expect(body.text).toBe('[redacted] [redacted] [redacted] 2')
    const kept = JSON.stringify(await deliveriesOf(scene, id))
    expect(kept).not.toContain(secret)
    expect(kept).toContain('x-gitlab-token')
    expect(JSON.stringify(await scene.row(body.executionId as string))).not.toContain(secret)
    const [row] = await scene.heddle.database.select().from(triggers).where(eq(triggers.id, id))
    expect(JSON.stringify(row)).not.toContain(secret)
  })

  it('cuts long requests, and rejected ones even shorter', async () => {
    const { id } = await addHook(scene)
    const headers = { 'x-long': 'y'.repeat(5000) }
    await send(scene, id, { body: { a: 'x'.repeat(200_000) }, headers })
    await send(scene, id, { body: `{${'x'.repeat(200_000)}`, headers })
    const [refused, taken] = await deliveriesOf(scene, id)
    expect([taken?.state, taken?.request?.isCut, taken?.request?.body.length]).toEqual(['succeeded', true, 64 * 1024])
    expect([refused?.state, refused?.request?.isCut, refused?.request?.body.length]).toEqual(['refused', true, 2048])
    expect(refused?.request?.headers['x-long']).toHaveLength(256)
  })
})

describe('a conversation', () => {
  it('continues a conversation by its chatId', async () => {
    const { id } = await addHook(scene, { settings: { input: text } })
    const chatId = crypto.randomUUID()
    const { body } = await send(scene, id, { body: { name: 'Ann', chatId } })
    expect(body).toMatchObject({ chatId, sessionId: chatId })
  })

  it('is not opened by a chat id that a sender without a signature could guess', async () => {
    const { id, flowId } = await addHook(scene, { settings: { input: text } })
    for (const chatId of ['talk-1', flowId, '']) {
      const { status, body } = await send(scene, id, { body: { name: 'Ann', chatId } })
      expect([status, body.chatId === chatId, body.sessionId]).toEqual([200, false, body.chatId])
      expect(body.notice).toEqual(chatId === '' ? undefined : expect.stringMatching(/^chatId: Others can guess/))
    }
    const answer = { chatId: 'talk-1', humanInput: { type: 'proceed' } }
    expect(await send(scene, id, { body: answer })).toMatchObject({ status: 400, body: { field: 'chatId' } })
    const body = JSON.stringify({ name: 'Ann', chatId: 'talk-1' })
    const owned = await addHook(scene, { settings: { input: text, signature: 'heddle' }, secret: SECRET })
    const known = await send(scene, owned.id, { body, headers: signed('heddle', body) })
    expect(known.body).toMatchObject({ chatId: 'talk-1', sessionId: 'talk-1' })
  })

  it('is never a member’s chat in the builder', async () => {
    const chatId = crypto.randomUUID()
    const { id, flowId } = await addHook(scene, {
      flow: chain(start(), llm(scene.model.baseUrl)),
      settings: { input: text },
    })
    const recalls = () => JSON.stringify(scene.model.requests.at(-1)?.body.messages).includes('My PIN is 4711')
    await scene.internally(flowId, { question: 'My PIN is 4711', chatId })
    expect((await send(scene, id, { body: { name: 'Ann', chatId } })).status).toBe(200)
    expect(recalls()).toBe(false)
    await scene.internally(flowId, { question: 'What is it?', chatId })
    expect(recalls()).toBe(true)
  })

  it('accepts a person’s answer at the same address', async () => {
    const ask = node('humanInputAgentflow', 0, { humanInputDescriptionType: 'fixed', humanInputDescription: 'May I?' })
    const [begin, yes, no] = [start(), directReply('yes, {{ $webhook.body.name }}', 0), directReply('no', 1)]
    const flow = { nodes: [begin, ask, yes, no], edges: [edge(begin, ask), edge(ask, yes, 0), edge(ask, no, 1)] }
    const { id } = await addHook(scene, { flow, settings: { signature: 'heddle' }, secret: SECRET })
    const post = (json: object) => {
      const body = JSON.stringify(json)
      return send(scene, id, { body, headers: signed('heddle', body) })
    }
    const asked = await post({ name: 'Ann' })
    expect(asked).toMatchObject({ status: 200, body: { action: { data: { nodeId: 'humanInputAgentflow_0' } } } })
    expect((await deliveriesOf(scene, id))[0]).toMatchObject({ state: 'succeeded' })
    const { chatId } = asked.body
    const humanInput = { type: 'proceed' }
    const unsigned = await send(scene, id, { body: { chatId, humanInput } })
    expect(unsigned.status).toBe(401)
    expect((await post({ chatId: 'another', humanInput })).status).toBe(404)
    expect(await post({ chatId, humanInput: { type: 'maybe' } })).toMatchObject({
      status: 400,
      body: { field: 'humanInput.type' },
    })
    expect(await post({ chatId, humanInput })).toMatchObject({ status: 200, body: { text: 'yes, Ann' } })
    expect(await post({ chatId, humanInput, again: 1 })).toMatchObject({ status: 409 })
  })
})

describe('a stream', () => {
  it('streams events as they happen', async () => {
    const { id } = await addHook(scene, { settings: { response: 'stream', input: text } })
    const { status, headers, text: sent } = await send(scene, id, { body: { name: 'Ann' } })
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    const names = eventsOf(sent).map(({ event }) => event)
    expect(names[0]).toBe('agentFlowEvent')
    expect(names.slice(-2)).toEqual(['metadata', 'end'])
    await expect.poll(async () => (await deliveriesOf(scene, id))[0]?.state).toBe('succeeded')
  })
})

describe('permissions', () => {
  it('lets only members rotate a secret and shows it once', async () => {
    const { id, flowId } = await addHook(scene, { more: { nodeId: 'startAgentflow_0' } })
    const outsider = await scene.heddle.signUp()
    for (const path of [`/triggers/${id}/secret`, `/chatflows/${flowId}/webhook-secret`]) {
      expect((await scene.call('POST', path, {}, outsider)).status).toBe(404)
      expect((await scene.call('DELETE', path, undefined, outsider)).status).toBe(404)
    }
    const made = await scene.call<{ webhookSecret: string }>('POST', `/chatflows/${flowId}/webhook-secret`)
    expect(made.body).toEqual({ webhookSecret: expect.stringMatching(/^\S{43}$/) })
    const removed = await scene.ann.fetch(`/api/v1/chatflows/${flowId}/webhook-secret`, { method: 'DELETE' })
    expect(removed.status).toBe(204)
  })

  it('accepts calls from any site and ignores cookies', async () => {
    const { id } = await addHook(scene)
    const response = await scene.ann.fetch(`/api/v1/webhook/${id}`, {
      method: 'POST',
      json: {},
      headers: { origin: 'https://elsewhere.example' },
    })
    expect(response.status).toBe(200)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-allow-credentials')).toBeNull()
  })
})

it('a warm webhook delivery needs three database round trips', async () => {
  const { id } = await addHook(scene, { settings: { signature: 'heddle', input: text }, secret: SECRET })
  const deliver = async () => {
    const body = JSON.stringify({ name: 'Ann', n: Math.random() })
    expect((await send(scene, id, { body, headers: signed('heddle', body) })).status).toBe(200)
  }
  await deliver()
  const trips: number[] = []
  for (let delivery = 0; delivery < 3; delivery++) {
    const before = scene.heddle.roundTrips()
    await deliver()
    trips.push(scene.heddle.roundTrips() - before)
  }
  // The refusals of the tests before are counted up to a second later.
  expect(Math.min(...trips)).toBe(3)
})

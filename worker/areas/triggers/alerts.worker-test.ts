// @defends alerts-become-emails
/** Who wants to know is told when a delivery is given up, and when its trigger stops itself. */
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { NewSecret, Trigger } from '#contract/triggers/index.ts'
import { chain, code, start } from '../../../e2e/support/flows.ts'
import { createPorts } from '../../ports/index.ts'
import type { Services } from '../../services.ts'
import { openScene, type Scene } from '../predictions/testing/scene.ts'
import { type Failed, sendAlerts } from './alerts.ts'

interface Post {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

let scene: Scene
let server: Server
let base: string
const posts: Post[] = []

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    if (!body.includes('Confirm your email address'))
      posts.push({ path: request.url ?? '', headers: request.headers, body })
    server.emit('post')
    response.end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  base = `http://${host}`
  const mail = { MAIL_URL: `${base}/emails`, MAIL_KEY: 'mail-key', MAIL_FROM: 'Heddle <heddle@example.com>' }
  scene = await openScene({ allowPrivateHosts: host, mail })
})
afterAll(async () => {
  await scene.close()
  server.close()
})

async function postTo(path: string): Promise<Post> {
  for (;;) {
    const index = posts.findIndex((post) => post.path === path)
    if (index >= 0) return posts.splice(index, 1)[0] as Post
    await once(server, 'post')
  }
}

it('sends alerts by email and by a signed request', async () => {
  expect((await scene.call<{ hasMailService: boolean }>('GET', '/settings')).body.hasMailService).toBe(true)
  const flowId = await scene.save(chain(start(), code('throw new Error("broken")')), { name: 'Nightly' })
  const { body: trigger } = await scene.call<Trigger>('POST', '/triggers', {
    flowId,
    name: 'At night',
    settings: { kind: 'schedule', cron: '0 3 * * *', input: { mode: 'none' } },
    operations: { pauseAfter: 2, alertUrl: `${base}/alert`, alertEmail: 'Person1@example.com' },
  })
  const { secret } = (await scene.call<NewSecret>('POST', `/triggers/${trigger.id}/secret`, {})).body

  await scene.heddle.scheduled(new Date(trigger.nextDue as string))
  const [alert, email] = [await postTo('/alert'), await postTo('/emails')]
  expect(JSON.parse(alert.body)).toMatchObject({
    event: 'delivery.dead',
    trigger: { id: trigger.id, name: 'At night', state: 'active', failuresInRow: 1 },
    flow: { name: 'Nightly' },
    delivery: { dueDate: trigger.nextDue, error: expect.stringContaining('broken') },
  })
  const [, time, signature] = /^t=(\d+),v1=(\w+)$/.exec(String(alert.headers['x-heddle-signature'])) ?? []
  expect(signature).toBe(createHmac('sha256', secret).update(`${time}.${alert.body}`).digest('hex'))
  expect(email.headers.authorization).toBe('Bearer mail-key')
  expect(JSON.parse(email.body)).toMatchObject({
    from: 'Heddle <heddle@example.com>',
    to: 'Person1@example.com',
    subject: 'At night of Nightly failed',
    text: expect.stringContaining('broken'),
  })

  const { body: next } = await scene.call<Trigger>('GET', `/triggers/${trigger.id}`)
  await scene.heddle.scheduled(new Date(next.nextDue as string))
  expect(JSON.parse((await postTo('/alert')).body)).toMatchObject({
    event: 'trigger.failing',
    trigger: { state: 'failing' },
  })
  expect(JSON.parse((await postTo('/emails')).body)).toMatchObject({
    subject: 'At night of Nightly was paused',
    text: expect.stringContaining('2 failures in a row'),
  })
})

it('accepts only email addresses of members of the organization', async () => {
  const flowId = await scene.save(chain(start(), code('return 1')))
  await scene.heddle.signUp({ email: 'bob@example.com' })
  const settings = { kind: 'schedule', cron: '0 3 * * *', input: { mode: 'none' } }
  const make = (alertEmail: string) =>
    scene.call<Trigger>('POST', '/triggers', { flowId, name: 'T', settings, operations: { alertEmail } })
  const refused = {
    status: 400,
    body: { field: 'operations.alertEmail', message: expect.stringContaining('members of this organization') },
  }
  for (const address of ['victim@elsewhere.example', 'bob@example.com', '%@example.com'])
    expect(await make(address)).toMatchObject({ status: 400, body: { field: 'operations.alertEmail' } })
  expect(await make('bob@example.com')).toMatchObject(refused)
  const { body: trigger } = await make('person1@example.com')
  const change = { operations: { ...trigger.operations, alertEmail: 'bob@example.com' } }
  expect(await scene.call('PUT', `/triggers/${trigger.id}`, change)).toMatchObject(refused)
  const { body: after } = await scene.call<Trigger>('GET', `/triggers/${trigger.id}`)
  expect(after.operations.alertEmail).toBe('person1@example.com')
})

/** A delivery of Ann's workspace that was given up, and the emails that are sent for it. */
async function failing(alertEmail: string, reason = 'broken') {
  const [row] = await scene.heddle.database.all<{ id: string }>(
    sql`select active_workspace_id id from users where email = 'person1@example.com'`,
  )
  const workspaceId = row?.id ?? ''
  const emails: { to: string; subject: string; text: string }[] = []
  const ports = createPorts({ masterKey: 'x'.repeat(43), allowPrivateHosts: [], mail: {} })
  const mail = { isConfigured: true, send: async (email: (typeof emails)[number]) => void emails.push(email) }
  const trigger = {
    id: 't',
    name: 'Your bank www.bank.example',
    workspaceId,
    operations: { alertUrl: null, alertEmail },
  }
  const delivery = { id: 'd', attempts: 1, dueDate: '2026-01-01T00:00:00.000Z', workspaceId, reason }
  const failed = { trigger, delivery, flowName: 'Nightly', wrappedKey: '' } as unknown as Failed
  const services = { ...ports, db: scene.heddle.database, mail } as unknown as Services
  return { emails, send: () => sendAlerts(services, failed) }
}

it('sends no email to a former member', async () => {
  const { emails, send } = await failing('victim@elsewhere.example')
  await send()
  expect(emails).toEqual([])
})

it('removes addresses from the alert and shortens the error', async () => {
  const reason = `Click https://phish.example/a, ask me@phish.example or www.phish.example ${'x'.repeat(1000)}`
  const { emails, send } = await failing('person1@example.com', reason)
  await send()
  const [email] = emails
  expect(email?.subject).toBe('Your bank (address removed) of Nightly failed')
  expect(email?.text).toContain(': Click (address removed) ask (address removed) or (address removed) xxx')
  expect(email?.text).not.toContain('phish')
  expect(email?.text).not.toContain('x'.repeat(300))
})

it('sends at most 20 emails per workspace and hour', async () => {
  await scene.heddle.database.run(sql`delete from rate_limits`)
  const { emails, send } = await failing('person1@example.com')
  for (let n = 0; n < 25; n++) await send()
  expect(emails).toHaveLength(20)
})

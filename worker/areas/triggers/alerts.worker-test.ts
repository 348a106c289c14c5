/** Who wants to know is told when a delivery is given up, and when its trigger stops itself. */
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { NewSecret, Trigger } from '#contract/triggers/index.ts'
import { chain, code, start } from '../../../e2e/support/flows.ts'
import { openScene, type Scene } from '../predictions/testing.ts'

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
    posts.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() })
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

it('tells by letter and by a signed request', async () => {
  expect((await scene.call<{ canSendMail: boolean }>('GET', '/settings')).body.canSendMail).toBe(true)
  const flowId = await scene.save(chain(start(), code('throw new Error("broken")')), { name: 'Nightly' })
  const { body: trigger } = await scene.call<Trigger>('POST', '/triggers', {
    flowId,
    name: 'At night',
    settings: { kind: 'schedule', cron: '0 3 * * *', input: { mode: 'none' } },
    operations: { pauseAfter: 2, alertUrl: `${base}/alert`, alertEmail: 'ann@example.com' },
  })
  const { secret } = (await scene.call<NewSecret>('POST', `/triggers/${trigger.id}/secret`, {})).body

  await scene.heddle.scheduled(new Date(trigger.nextDue as string))
  const [alert, letter] = [await postTo('/alert'), await postTo('/emails')]
  expect(JSON.parse(alert.body)).toMatchObject({
    event: 'delivery.dead',
    trigger: { id: trigger.id, name: 'At night', state: 'active', failuresInRow: 1 },
    flow: { name: 'Nightly' },
    delivery: { dueDate: trigger.nextDue, error: expect.stringContaining('broken') },
  })
  const [, time, signature] = /^t=(\d+),v1=(\w+)$/.exec(String(alert.headers['x-heddle-signature'])) ?? []
  expect(signature).toBe(createHmac('sha256', secret).update(`${time}.${alert.body}`).digest('hex'))
  expect(letter.headers.authorization).toBe('Bearer mail-key')
  expect(JSON.parse(letter.body)).toMatchObject({
    from: 'Heddle <heddle@example.com>',
    to: 'ann@example.com',
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
    subject: 'At night of Nightly has stopped itself',
    text: expect.stringContaining('2 failures in a row'),
  })
})

// @defends link-email-leads
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { EmailKind } from '#contract/organization/emails.ts'
import { emails, emailTokens } from '#db/schema/index.ts'
import { tokenHash } from '../http/session/secrets.ts'
import { APP_URL, startTestHeddle, type TestHeddle } from '../local/testing/heddle.ts'

interface Sent {
  to: string
  subject: string
  text: string
}

let heddle: TestHeddle
const NOW = new Date()
const at = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000)

async function queue(kind: EmailKind, given: Partial<typeof emails.$inferInsert> = {}): Promise<string> {
  const id = crypto.randomUUID()
  const createdDate = NOW.toISOString()
  const row = { id, kind, address: 'ada@example.com', data: { subject: '' }, dueDate: createdDate, createdDate }
  await heddle.database.insert(emails).values({ ...row, ...given })
  return id
}

const row = async (id: string) => (await heddle.database.select().from(emails)).find((email) => email.id === id)
const tokenIn = (text: string) => /#token=([\w-]{43})/.exec(text)?.[1] ?? ''

describe('an installation with a mail service', () => {
  let server: Server
  let sent: Sent[]
  let status: number

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      sent.push((await json(request)) as Sent)
      response.writeHead(status).end('said by the service')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const mail = { MAIL_URL: `http://${host}/emails`, MAIL_KEY: 'mail-key', MAIL_FROM: 'Heddle <heddle@example.com>' }
    heddle = await startTestHeddle({ allowPrivateHosts: host, mail })
  })
  afterAll(async () => {
    await heddle.close()
    server.close()
  })
  beforeEach(() => {
    sent = []
    status = 200
  })
  afterEach(async () => {
    await heddle.database.delete(emails)
    await heddle.database.delete(emailTokens)
  })

  it('sends an email once, with a token in the fragment of the link, and keeps only its hash', async () => {
    const id = await queue('reset-password')
    await Promise.all([heddle.scheduled(NOW), heddle.scheduled(NOW)])
    expect(sent).toMatchObject([{ to: 'ada@example.com', subject: 'Choose a new password' }])
    expect(sent[0]?.text).toContain(`${APP_URL}/reset-password#token=`)
    const token = tokenIn(sent[0]?.text ?? '')
    expect(await heddle.database.select().from(emailTokens)).toMatchObject([
      { hash: tokenHash(token), kind: 'reset-password', endedDate: null },
    ])
    const kept = await row(id)
    expect(kept).toMatchObject({ dueDate: null, sentDate: expect.any(String), error: null })
    expect(JSON.stringify(kept)).not.toContain(token)
  })

  it('voids the token of an older email for the same address', async () => {
    await queue('verify-email')
    await heddle.scheduled(NOW)
    await queue('verify-email', { dueDate: at(1).toISOString() })
    await heddle.scheduled(at(1))
    const [older, newer] = sent.map(({ text }) => tokenHash(tokenIn(text)))
    const tokens = await heddle.database.select().from(emailTokens)
    expect(tokens.find(({ hash }) => hash === older)?.endedDate).toEqual(expect.any(String))
    expect(tokens.find(({ hash }) => hash === newer)?.endedDate).toBeNull()
  })

  it('tries an email again ever later, with what the service said, and gives it up in the end', async () => {
    status = 503
    const id = await queue('account-exists')
    const tries: number[] = []
    for (const minute of [0, 0.5, 1, 2, 6, 36, 156, 636, 5000]) {
      await heddle.scheduled(at(minute))
      tries.push(sent.length)
    }
    expect(tries).toEqual([1, 1, 2, 2, 3, 4, 5, 6, 6])
    expect(await row(id)).toMatchObject({
      dueDate: null,
      sentDate: null,
      attempts: 6,
      error: 'The mail service responded with 503: said by the service',
    })
  })

  it('sends an email that failed when the service is back', async () => {
    status = 500
    const id = await queue('account-exists')
    await heddle.scheduled(NOW)
    status = 200
    await heddle.scheduled(at(1))
    expect(await row(id)).toMatchObject({ attempts: 2, sentDate: expect.any(String), error: null })
  })

  it('sends an email again that went but was not marked as sent, and only its newest link works', async () => {
    await heddle.database.run(
      sql`create trigger dies before update of sent_date on letters begin select raise(abort, 'died'); end`,
    )
    const id = await queue('reset-password')
    await heddle.scheduled(NOW)
    await heddle.database.run(sql`drop trigger dies`)
    expect(sent).toHaveLength(1)
    expect(await row(id)).toMatchObject({ attempts: 1, sentDate: null, dueDate: at(1).toISOString() })
    await heddle.scheduled(at(1))
    const [first, second] = sent.map(({ text }) => tokenHash(tokenIn(text)))
    expect(await row(id)).toMatchObject({ attempts: 2, sentDate: expect.any(String), dueDate: null })
    const tokens = await heddle.database.select().from(emailTokens)
    expect(tokens.find(({ hash }) => hash === first)?.endedDate).toEqual(expect.any(String))
    expect(tokens.find(({ hash }) => hash === second)?.endedDate).toBeNull()
  })

  it('takes everything out of names that a mail program would turn into a link', async () => {
    const data = { subject: 'i1', inviter: 'Win at https://evil.example\nnow', organization: 'www.evil.example/x @me' }
    await queue('invite', { data })
    await heddle.scheduled(NOW)
    expect(sent[0]?.subject).toBe('Join www evil example x me on Heddle')
    expect(sent[0]?.text).toContain('Win at https evil example now invited you')
  })

  it('forgets emails and tokens after a month', async () => {
    await queue('verify-email', { dueDate: null })
    await heddle.scheduled(at(29 * 24 * 60))
    expect(await heddle.database.select().from(emails)).toHaveLength(1)
    await heddle.scheduled(at(31 * 24 * 60))
    expect(await heddle.database.select().from(emails)).toEqual([])
  })
})

it('writes emails to files that only the owner may read when there is no mail service', async () => {
  heddle = await startTestHeddle()
  await queue('verify-email', { address: '../../x@example.com' })
  await heddle.scheduled(NOW)
  const files = readdirSync(heddle.outbox)
  expect(files).toEqual([expect.stringMatching(/^[\dT.Z-]+ \.\._\.\._x@example\.com \w{8}\.txt$/)])
  const file = join(heddle.outbox, files[0] ?? '')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(heddle.outbox).mode & 0o777).toBe(0o700)
  expect(readFileSync(file, 'utf8')).toMatch(/^To: .+\nSubject: Confirm your email address\n\n/)
  expect(readFileSync(file, 'utf8')).toContain(`${APP_URL}/verify#token=`)
  await heddle.close()
})

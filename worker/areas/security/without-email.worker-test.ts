import { eq } from 'drizzle-orm'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { auditEvents, emails } from '#db/schema/index.ts'
import { call } from '#worker/local/testing/client.ts'
import { APP_URL, startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { makePasskey } from '../auth/passkeys/testing/authenticator.ts'

const SITE = { rpId: new URL(APP_URL).hostname, origin: APP_URL }
const EMAIL = 'ann@example.com'
const PASSWORD = 'Another-horse-8-staple'

let heddle: TestHeddle
let client: TestClient

beforeAll(async () => {
  heddle = await startTestHeddle({
    // A mail service keeps the folder of emails out, and then there is none.
    mail: { MAIL_URL: 'https://mail.example.com', MAIL_KEY: 'key', MAIL_FROM: 'Heddle <heddle@example.com>' },
    bindings: { MAIL_URL: '', MAIL_KEY: '', MAIL_FROM: '' },
  })
  client = await heddle.signUp({ email: EMAIL })
})
afterAll(() => heddle.close())

async function succeed(method: string, path: string, json?: unknown) {
  const { status, text, body } = await call(client, method, path, json)
  expect(status, text).toBeLessThan(300)
  return body
}

async function addPasskey(name: string) {
  const { challenge } = await succeed('POST', '/account/passkeys/options')
  const { passkey, answer } = makePasskey(SITE, challenge)
  await succeed('POST', '/account/passkeys', { name, passkey: answer })
  return passkey
}

async function addAuthenticator() {
  const { secret } = await succeed('POST', '/account/authenticator')
  await succeed('POST', '/account/authenticator/confirm', { code: new TOTP({ secret }).generate() })
}

it('changes every way to sign in, shows and records it, and queues no email', async () => {
  const forgot = await call(client, 'POST', '/account/forgot-password', { email: EMAIL })
  expect(forgot).toMatchObject({ status: 400, text: expect.stringContaining('cannot send email') })
  const { id } = await addPasskey('Old laptop')
  await succeed('DELETE', `/account/passkeys/${id}`)
  await addPasskey('New laptop')
  await succeed('PUT', '/account/password', { currentPassword: 'Correct-horse-9-staple', newPassword: PASSWORD })
  const login = { method: 'POST', json: { email: EMAIL, password: PASSWORD }, headers: { 'user-agent': 'curl/8' } }
  expect((await heddle.newClient().fetch('/api/v1/auth/login', login)).status).toBe(200)
  await addAuthenticator()
  await succeed('POST', '/account/recovery-codes')
  expect(await succeed('GET', '/account/security')).toMatchObject({
    hasPassword: true,
    authenticator: { createdDate: expect.any(String) },
    passkeys: [{ name: 'New laptop' }],
  })
  await succeed('DELETE', '/account/authenticator')
  await addAuthenticator()
  await succeed('DELETE', '/account/sign-in-methods')
  expect(await succeed('GET', '/account/security')).toMatchObject({ authenticator: null, passkeys: [] })
  await heddle.scheduled()
  expect(await heddle.database.select().from(emails)).toEqual([])
  const { id: userId } = await succeed('GET', '/auth/me')
  const recorded = await heddle.database.select().from(auditEvents).where(eq(auditEvents.actorId, userId))
  expect(new Set(recorded.map(({ event }) => event).filter((event) => event.startsWith('account.')))).toEqual(
    new Set([
      'account.add-passkey',
      'account.remove-passkey',
      'account.change-password',
      'account.add-second-step',
      'account.renew-recovery-codes',
      'account.remove-second-step',
      'account.remove-sign-in-methods',
    ]),
  )
})

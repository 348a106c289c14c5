import { createHook } from 'node:async_hooks'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { hashPassword } from './password.ts'
import { signIn } from './sign-in.ts'

let hashes = 0
const counter = createHook({
  init(_, type) {
    if (type === 'SCRYPTREQUEST') hashes++
  },
})
let stored: string

beforeAll(async () => {
  counter.enable()
  stored = await hashPassword('right')
})
beforeEach(() => {
  hashes = 0
})
afterAll(() => void counter.disable())

/** A context whose database finds these users. */
function contextWith(users: unknown[]) {
  const statement: object = new Proxy({}, { get: (_, name) => (name === 'then' ? undefined : () => statement) })
  const read = vi.fn(async (): Promise<unknown[][]> => [[]]).mockResolvedValueOnce([users, [], [], [], []])
  const db = { select: () => statement, insert: () => statement, batch: read }
  const services = { db, clock: { now: () => new Date(0) }, config: { sessionKey: 'k' } }
  const req = { raw: new Request('http://localhost/'), url: 'http://localhost/', header: () => undefined }
  return { get: () => services, req } as unknown as Parameters<typeof signIn>[0]
}

const userOf = (status: string) => ({ user: { id: 'u', passwordHash: stored, status }, authenticatorOf: null })

it.each([
  ['an unknown address', () => []],
  ['a known address', () => [userOf('active')]],
])('sign-in does the work of one password check for %s', async (_, users) => {
  await expect(signIn(contextWith(users()), { email: 'a@example.com', password: 'guess' })).rejects.toMatchObject({
    code: 'unauthorized',
    message: 'Email or password is wrong',
  })
  expect(hashes).toBe(1)
})

it('refuses the right password of an account that is not active', async () => {
  const context = contextWith([userOf('disabled')])
  await expect(signIn(context, { email: 'a@example.com', password: 'right' })).rejects.toMatchObject({
    code: 'unauthorized',
  })
})

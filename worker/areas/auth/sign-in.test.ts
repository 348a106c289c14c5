import { beforeEach, expect, it, vi } from 'vitest'
import { signIn } from './sign-in.ts'

const { verifyPassword } = vi.hoisted(() => ({ verifyPassword: vi.fn(async () => false) }))
vi.mock('./password.ts', () => ({ verifyPassword }))

/** A context whose database finds these users. */
function contextWith(users: unknown[]) {
  const db = { select: () => ({ from: () => ({ where: async () => users }) }) }
  return { get: () => ({ db, clock: { now: () => new Date(0) } }) } as unknown as Parameters<typeof signIn>[0]
}

beforeEach(() => verifyPassword.mockClear())

it.each([
  ['an unknown address', [], undefined],
  ['a known one', [{ id: 'u', passwordHash: 'stored', status: 'active' }], 'stored'],
])('does the work of one password check for %s', async (_, users, stored) => {
  await expect(signIn(contextWith(users), { email: 'a@example.com', password: 'guess' })).rejects.toMatchObject({
    code: 'unauthorized',
    message: 'Email or password is wrong',
  })
  expect(verifyPassword.mock.calls).toEqual([['guess', stored]])
})

it('refuses the right password of an account that is not active', async () => {
  verifyPassword.mockResolvedValueOnce(true)
  const users = [{ id: 'u', passwordHash: 'stored', status: 'disabled' }]
  await expect(signIn(contextWith(users), { email: 'a@example.com', password: 'right' })).rejects.toMatchObject({
    code: 'unauthorized',
  })
})

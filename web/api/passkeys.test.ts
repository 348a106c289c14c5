import { afterEach, expect, it, vi } from 'vitest'

const cancelled = () => Promise.reject(Object.assign(new Error('It was not allowed'), { name: 'NotAllowedError' }))

/** The module with an authenticator and a server in place of the browser's; returns the calls that are sent. */
async function setUp(answer: () => Promise<unknown>) {
  vi.resetModules()
  vi.doMock('@simplewebauthn/browser', () => ({ startRegistration: answer, startAuthentication: answer }))
  const sent: { path: string; body: unknown }[] = []
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('fetch', async (path: string, { body }: { body: string }) => {
    sent.push({ path, body: JSON.parse(body) })
    return Response.json(path.endsWith('/options') ? { challenge: 'c' } : { id: 'made' })
  })
  return { sent, passkeys: await import('./passkeys.ts') }
}

afterEach(() => {
  vi.doUnmock('@simplewebauthn/browser')
  vi.resetModules()
})

it('a passkey is added under its name, and returned as the server keeps it', async () => {
  const { sent, passkeys } = await setUp(async () => ({ raw: 1 }))
  expect(await passkeys.addPasskey('Phone')).toEqual({ id: 'made' })
  expect(sent).toEqual([
    { path: '/api/v1/account/passkeys/options', body: {} },
    { path: '/api/v1/account/passkeys', body: { name: 'Phone', passkey: { raw: 1 } } },
  ])
})

it('a passkey signs in with what the authenticator answers', async () => {
  const { sent, passkeys } = await setUp(async () => ({ raw: 2 }))
  expect(await passkeys.signInWithPasskey()).toEqual({ id: 'made' })
  expect(sent.at(-1)).toEqual({ path: '/api/v1/auth/passkey', body: { passkey: { raw: 2 } } })
})

it('a passkey proves who is there', async () => {
  const { sent, passkeys } = await setUp(async () => ({ raw: 3 }))
  expect(await passkeys.confirmWithPasskey()).toBe(true)
  expect(sent.at(-1)?.path).toBe('/api/v1/auth/confirm')
})

it('somebody who cancels sends nothing', async () => {
  const { sent, passkeys } = await setUp(cancelled)
  expect(await passkeys.addPasskey('Phone')).toBeUndefined()
  expect(await passkeys.signInWithPasskey()).toBeUndefined()
  expect(await passkeys.confirmWithPasskey()).toBe(false)
  expect(sent.every(({ path }) => path.endsWith('/options'))).toBe(true)
})

it('an authenticator that fails in another way says so', async () => {
  const { passkeys } = await setUp(() => Promise.reject(new Error('The key is broken')))
  await expect(passkeys.addPasskey('Phone')).rejects.toThrow('The key is broken')
})

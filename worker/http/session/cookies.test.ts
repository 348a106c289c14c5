// @defends third-host-poses
import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { sharedDomain } from '#contract/data/shared-domain.ts'
import type { Services } from '../../services.ts'
import type { AppEnv } from '../route.ts'
import { clearSessionCookies, setSessionCookies } from './cookies.ts'

const tokens = { sessionId: 's', accessToken: 'a', refreshToken: 'r' }

/** The cookies that `https://api.example.com` sets and clears, as name, value and attributes. */
async function cookiesFor(uiOrigin: string | undefined) {
  const app = new Hono<AppEnv>()
  app.get('/:what', async (c) => {
    c.set('services', { config: { sessionKey: 'k', uiOrigin } } as unknown as Services)
    if (c.req.param('what') === 'set') await setSessionCookies(c, tokens)
    else clearSessionCookies(c)
    return c.body(null)
  })
  const of = async (what: string) => (await app.request(`https://api.example.com/${what}`)).headers.getSetCookie()
  return { set: await of('set'), cleared: await of('clear') }
}

it('shares only the XSRF cookie with pages on another host of the site', async () => {
  const { set, cleared } = await cookiesFor('https://app.example.com')
  expect(set).toEqual([
    expect.stringMatching(/^__Host-heddle-access=.*Path=\/; HttpOnly; Secure; SameSite=Strict$/),
    expect.stringMatching(/^__Host-heddle-refresh=.*Path=\/; HttpOnly; Secure; SameSite=Strict$/),
    expect.stringMatching(/^XSRF-TOKEN=; Max-Age=0; Path=\/; Secure/),
    expect.stringMatching(/^XSRF-TOKEN=.+; Domain=example\.com; Path=\/; Secure; SameSite=Strict$/),
  ])
  expect(set.slice(0, 3).join()).not.toContain('Domain')
  expect(cleared.at(-1)).toMatch(/^XSRF-TOKEN=; Max-Age=0; Domain=example\.com;/)
})

it.each([undefined, 'https://api.example.com:8443', 'https://app.elsewhere.example'])(
  'sets no cookie domain for pages from %s',
  async (uiOrigin) => {
    const { set, cleared } = await cookiesFor(uiOrigin)
    expect(set).toHaveLength(3)
    expect([...set, ...cleared].join()).not.toContain('Domain')
  },
)

it.each([
  ['app.example.com', 'api.example.com', 'example.com'],
  ['example.com', 'api.example.com', 'example.com'],
  ['app.a.example.com', 'api.b.example.com', 'example.com'],
  ['myexample.com', 'example.com', undefined],
  ['one.com', 'two.com', undefined],
  ['localhost', 'localhost', undefined],
  ['10.0.0.1', '10.1.0.1', undefined],
  ['[::1]', '[::2]', undefined],
])('finds that %s and %s share the domain %s', (one, other, domain) => {
  expect(sharedDomain(one, other)).toBe(domain)
})

import { describe, expect, it } from 'vitest'
import type { Egress } from '../ports/types.ts'
import { isExpectedIssuer, type OAuthClient } from './oauth-client.ts'
import { exchangeCode, exchangeRefreshToken, OAuthRefusal } from './token-request.ts'

const NOW = new Date('2026-01-01T00:00:00.000Z')
const clock = { now: () => NOW, sleep: async () => {} }
const client: OAuthClient = {
  authorizationUrl: 'https://login.example/authorize',
  tokenUrl: 'https://api.example/token',
  clientId: 'id',
  clientSecret: 'a secret:ü',
  extra: new URLSearchParams(),
  authentication: 'body',
}

/** A provider that gives one answer, and what it was sent. */
function provider(answer: Response) {
  const sent: { url: string; init: RequestInit }[] = []
  const egress: Egress = {
    async fetch(input, init = {}) {
      sent.push({ url: String(input), init })
      return answer
    },
  }
  return { sent, outside: { egress, clock } }
}
const refresh = (answer: Response, more: Partial<OAuthClient> = {}) =>
  exchangeRefreshToken({ ...client, ...more }, 'old', provider(answer).outside)

describe('a token request', () => {
  it('proves who asks, and that the code is for this browser', async () => {
    const { sent, outside } = provider(Response.json({ access_token: 'a' }))
    await exchangeCode(client, { code: 'c', verifier: 'v', redirectUri: 'https://us.example/back' }, outside)
    expect(Object.fromEntries(sent[0]?.init.body as URLSearchParams)).toEqual({
      grant_type: 'authorization_code',
      code: 'c',
      code_verifier: 'v',
      redirect_uri: 'https://us.example/back',
      client_id: 'id',
      client_secret: 'a secret:ü',
    })
  })

  it('keeps the secret in the header where the provider wants basic authentication', async () => {
    const { sent, outside } = provider(Response.json({ access_token: 'a' }))
    await exchangeRefreshToken({ ...client, authentication: 'basic' }, 'old', outside)
    const { headers, body } = sent[0]?.init ?? {}
    expect(new Headers(headers).get('authorization')).toBe(`Basic ${btoa('id:a+secret%3A%C3%BC')}`)
    expect(String(body)).toBe('grant_type=refresh_token&refresh_token=old')
  })

  it('sends no secret for a public client', async () => {
    const { sent, outside } = provider(Response.json({ access_token: 'a' }))
    await exchangeRefreshToken({ ...client, authentication: 'none' }, 'old', outside)
    expect(String(sent[0]?.init.body)).toBe('grant_type=refresh_token&refresh_token=old&client_id=id')
  })

  it('follows no redirect, which would carry the secret along', async () => {
    const { sent, outside } = provider(
      new Response(null, { status: 307, headers: { location: 'https://evil.example' } }),
    )
    await expect(exchangeRefreshToken(client, 'old', outside)).rejects.toThrow('responded with 307')
    expect(sent).toHaveLength(1)
    expect(sent[0]?.init.redirect).toBe('manual')
  })
})

describe('the answer to a token request', () => {
  it.each<[string, Response, object]>([
    [
      'as the standard says',
      Response.json({ access_token: 'a', refresh_token: 'r', expires_in: 60 }),
      { accessToken: 'a', refreshToken: 'r', expiresDate: '2026-01-01T00:01:00.000Z' },
    ],
    [
      'with seconds as text',
      Response.json({ access_token: 'a', expires_in: '60' }),
      { accessToken: 'a', expiresDate: '2026-01-01T00:01:00.000Z' },
    ],
    ['without an end', Response.json({ access_token: 'a' }), { accessToken: 'a', expiresDate: null }],
    [
      'with an absurd end',
      Response.json({ access_token: 'a', expires_in: 1e300 }),
      { accessToken: 'a', expiresDate: null },
    ],
    ['as a form', new Response('access_token=a&scope=repo&token_type=bearer'), { accessToken: 'a', expiresDate: null }],
    [
      'one level down',
      Response.json({ ok: true, access_token: '', authed_user: { access_token: 'a' } }),
      { accessToken: 'a', expiresDate: null },
    ],
  ])('is read %s', async (_, answer, tokens) => {
    expect(await refresh(answer)).toEqual(tokens)
  })

  it.each<[string, Response, boolean]>([
    [
      'refused: invalid_grant: Gone',
      Response.json({ error: 'invalid_grant', error_description: 'Gone' }, { status: 400 }),
      true,
    ],
    ['refused: bad_refresh_token', Response.json({ error: 'bad_refresh_token' }), true],
    ['responded with 401', new Response('', { status: 401 }), true],
    ['responded with 503', new Response('', { status: 503 }), false],
    ['responded with 429', new Response('', { status: 429 }), false],
    ['refused: temporarily_unavailable', Response.json({ error: 'temporarily_unavailable' }, { status: 400 }), false],
    ['returned no access token', new Response('<html>'), false],
    ['returned no tokens', Response.json([1]), false],
  ])('fails with "%s"', async (message, answer, isFinal) => {
    const error = await refresh(answer).catch((thrown: unknown) => thrown)
    expect((error as Error).message).toContain(`api.example ${message}`)
    expect(error instanceof OAuthRefusal).toBe(isFinal)
  })
})

it.each<[string, string | undefined, boolean]>([
  ['https://login.example', undefined, true],
  ['https://login.example/tenant/v2.0', undefined, true],
  ['https://api.example', undefined, true],
  ['https://login.example.evil.example', undefined, false],
  ['http://login.example', undefined, false],
  ['nonsense', undefined, false],
  ['https://login.example', 'https://login.example/tenant', false],
  ['https://login.example/tenant', 'https://login.example/tenant', true],
])('takes the issuer %s for the one that was asked (%s): %s', (iss, issuer, expected) => {
  expect(isExpectedIssuer({ ...client, ...(issuer && { issuer }) }, iss)).toBe(expected)
})

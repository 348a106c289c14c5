import { describe, expect, it } from 'vitest'
import type { Egress } from '../../ports/types.ts'
import { githubIdentity, githubUrl } from './github.ts'

const CLIENT = {
  ...{ kind: 'github' as const, issuer: 'https://github.com', groupsClaim: 'groups' },
  ...{ clientId: 'Iv1.8a61f9b3a7aba766', clientSecret: 'the-client-secret' },
}
const JOURNEY = {
  redirectUri: 'https://heddle.example/api/v1/sso/p/callback',
  state: 'the-state',
  nonce: 'unused',
  verifier: 'v'.repeat(43),
}

interface Script {
  token?: object
  user?: object
  emails?: object[]
  userStatus?: number
}

/** GitHub as it answers: a token for the code, and an API that wants it. */
function scriptedGitHub({ token, user, emails, userStatus = 200 }: Script) {
  const sent: { url: string; body: URLSearchParams; authorization: string | null }[] = []
  const answers: Record<string, [number, object]> = {
    'https://github.com/login/oauth/access_token': [
      200,
      token ?? {
        access_token: 'gho_16C7e42F292c6912E7710c838347Ae178B4a',
        scope: 'read:user,user:email',
        token_type: 'bearer',
      },
    ],
    'https://api.github.com/user': [userStatus, user ?? { login: 'octocat', id: 583231, name: 'Mona', email: null }],
    'https://api.github.com/user/emails': [200, emails ?? []],
  }
  const egress = {
    async fetch(input: string | URL, init: RequestInit = {}) {
      const body = new URLSearchParams(String(init.body ?? ''))
      sent.push({ url: String(input), body, authorization: new Headers(init.headers).get('authorization') })
      const [status, answer] = answers[String(input)] ?? [404, { message: 'Not Found' }]
      return Response.json(answer, { status })
    },
  } as unknown as Egress
  return { egress, sent }
}

const email = (address: string, primary: boolean, verified: boolean) => ({
  ...{ email: address, primary, verified, visibility: primary ? 'private' : null },
})

const arrive = (script: Script, answer: Record<string, string> = { code: 'the-code', state: 'the-state' }) => {
  const github = scriptedGitHub(script)
  const given = { answer: new URLSearchParams(answer), journey: JOURNEY }
  return { ...github, identity: githubIdentity(CLIENT, given, github.egress) }
}

describe('signing in with GitHub', () => {
  it('leaves for GitHub with state and PKCE', async () => {
    const url = new URL(await githubUrl(CLIENT, JOURNEY))
    expect(url.origin + url.pathname).toBe('https://github.com/login/oauth/authorize')
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      ...{ client_id: CLIENT.clientId, state: 'the-state', scope: 'read:user user:email' },
      ...{ code_challenge: expect.stringMatching(/^[\w-]{43}$/), code_challenge_method: 'S256' },
    })
  })

  it('knows people by their number, with the address that is both primary and verified', async () => {
    const emails = [email('old@example.com', false, true), email('Mona@Example.com', true, true)]
    const { identity, sent } = arrive({ emails })
    expect(await identity).toEqual({
      ...{ issuer: 'https://github.com', subject: '583231', name: 'Mona', groups: null },
      ...{ email: 'mona@example.com', isEmailVerified: true },
    })
    const [exchange, ...calls] = sent
    expect(Object.fromEntries(exchange?.body ?? [])).toMatchObject({
      ...{ code: 'the-code', code_verifier: JOURNEY.verifier, redirect_uri: JOURNEY.redirectUri },
      ...{ client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret },
    })
    const token = 'Bearer gho_16C7e42F292c6912E7710c838347Ae178B4a'
    expect(calls.map(({ url, authorization }) => [url, authorization])).toEqual([
      ['https://api.github.com/user', token],
      ['https://api.github.com/user/emails', token],
    ])
  })

  it.each<[string, object[], object]>([
    [
      'primary but not verified',
      [email('a@example.com', true, false), email('b@example.com', false, true)],
      { isEmailVerified: false },
    ],
    ['verified but not primary', [email('b@example.com', false, true)], { email: null, isEmailVerified: false }],
    ['none', [], { email: null, isEmailVerified: false }],
  ])('takes no address as proven that is %s', async (_, emails, expected) => {
    expect(
      await arrive({ emails, user: { login: 'o', id: 1, name: null, email: 'public@example.com' } }).identity,
    ).toMatchObject(expected)
  })

  it.each<[string, Script, Record<string, string>?]>([
    ['another state', {}, { code: 'the-code', state: 'another' }],
    [
      'a code that GitHub refuses',
      { token: { error: 'bad_verification_code', error_description: 'The code is incorrect' } },
    ],
    ['an API that refuses the token', { userStatus: 401 }],
    ['a person without a number', { user: { login: 'o' } }],
  ])('fails with %s', async (_, script, answer) => {
    await expect(arrive(script, answer).identity).rejects.toThrow()
  })
})

// @defends organization-provider-speaks
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { microsoftIssuer } from '#contract/organization/sso.ts'
import { type Arrival, decideEntry } from '#contract/organization/sso-rules.ts'
import type { Egress } from '../../ports/types.ts'
import { openidIdentity, openidUrl } from './openid.ts'

const TENANT = '9122040d-6c67-4c5b-b112-36a304b66dad'
const ISSUER = microsoftIssuer(TENANT)
const CLIENT = {
  ...{ kind: 'microsoft' as const, issuer: ISSUER, groupsClaim: 'groups' },
  ...{ clientId: '00001111-aaaa-2222-bbbb-3333cccc4444', clientSecret: 's' },
}
const JOURNEY = { redirectUri: 'https://heddle.example/cb', state: 's', nonce: 'the-nonce', verifier: 'v'.repeat(43) }

/** Microsoft's endpoints of one directory; `issuer` is what they call themselves. */
async function scriptedMicrosoft({ claims = {}, issuer = ISSUER }: { claims?: object; issuer?: string } = {}) {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const base = `https://login.microsoftonline.com/${TENANT}`
  const now = Math.floor(Date.now() / 1000)
  const idToken = () =>
    new SignJWT({ ...{ tid: TENANT, oid: 'o', nonce: 'the-nonce', preferred_username: 'ceo@example.com' }, ...claims })
      .setProtectedHeader({ typ: 'JWT', alg: 'RS256', kid: 'k' })
      .setIssuer(ISSUER)
      .setAudience(CLIENT.clientId)
      .setSubject('AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ')
      .setIssuedAt(now)
      .setExpirationTime(now + 3600)
      .sign(privateKey)
  const answers: Record<string, () => unknown> = {
    [`${ISSUER}/.well-known/openid-configuration`]: () => ({
      issuer,
      authorization_endpoint: `${base}/oauth2/v2.0/authorize`,
      token_endpoint: `${base}/oauth2/v2.0/token`,
      jwks_uri: `${base}/discovery/v2.0/keys`,
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt', 'client_secret_basic'],
      scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
      response_types_supported: ['code'],
      subject_types_supported: ['pairwise'],
    }),
    [`${base}/oauth2/v2.0/token`]: async () => ({
      ...{ token_type: 'Bearer', scope: 'email openid profile', expires_in: 3599, access_token: 'eyJ0' },
      id_token: await idToken(),
    }),
    [`${base}/discovery/v2.0/keys`]: async () => ({
      keys: [{ ...(await exportJWK(publicKey)), kid: 'k', use: 'sig' }],
    }),
  }
  return {
    fetch: async (url: string | URL) => Response.json(await answers[String(url)]?.()),
  } as unknown as Egress
}

const identityAt = (egress: Egress) =>
  openidIdentity(CLIENT, { answer: new URLSearchParams({ code: 'c', state: 's' }), journey: JOURNEY }, egress)

const ann = {
  userId: 'ann',
  isActive: true,
  isEmailVerified: true,
  isPlatformAdmin: false,
  membership: 'member',
} as const

describe('Microsoft', () => {
  it.each([{}, { email_verified: true }, { email_verified: true, xms_edov: true }])(
    'proves nothing by the address that it names, with %j',
    async (more) => {
      const identity = await identityAt(await scriptedMicrosoft({ claims: { email: 'ceo@example.com', ...more } }))
      expect(identity).toMatchObject({ issuer: ISSUER, email: 'ceo@example.com' })
      const arrival: Arrival = {
        ...{ provider: { kind: 'microsoft', organizationId: 'o' }, identity, isDomainProven: true },
        ...{ linked: undefined, namesake: ann, isPlatformAdminAddress: false, hasPlace: true, isInvited: true },
      }
      expect(decideEntry(arrival)).toEqual({ kind: 'refuse', reason: 'unverified' })
    },
  )

  it('is refused when it calls itself by the template of its issuers, as its “common” addresses do', async () => {
    const egress = await scriptedMicrosoft({ issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' })
    await expect(openidUrl(CLIENT, JOURNEY, egress)).rejects.toThrow('issuer')
    await expect(identityAt(egress)).rejects.toThrow('issuer')
  })

  it('sends people of one directory to the sign-in of that directory', async () => {
    const url = new URL(await openidUrl(CLIENT, JOURNEY, await scriptedMicrosoft()))
    expect(url.pathname).toBe(`/${TENANT}/oauth2/v2.0/authorize`)
    expect(url.searchParams.get('nonce')).toBe('the-nonce')
  })
})

/** A directory for tests: provisions the people of a team's organization over SCIM. */
import { organizationDomains } from '#db/schema/index.ts'
import type { TestHeddle } from '#worker/local/testing/heddle.ts'
import type { Team, Teammate } from '../../users/testing/team.ts'

const DATE = '2026-01-01T00:00:00.000Z'

export async function proveDomain({ database }: TestHeddle, organizationId: string, domain: string): Promise<void> {
  const row = { id: crypto.randomUUID(), organizationId, domain, proof: 'p', provenDate: DATE, createdDate: DATE }
  await database.insert(organizationDomains).values(row)
}

export interface ScimAnswer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests name what they expect
  body: any
}

/** Sends as a directory does: a bearer token, and bodies of SCIM's media type. `path` is below /scim/v2. */
export async function sendScim(
  { fetch }: Pick<TestHeddle, 'fetch'>,
  token: string | undefined,
  ...[method, path, json, headers]: [string, string, unknown?, Record<string, string>?]
): Promise<ScimAnswer> {
  const response = await fetch(`/scim/v2${path}`, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(json !== undefined && { 'content-type': 'application/scim+json' }),
      ...headers,
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** Makes a token as somebody of the team, by default the admin. */
export async function openDirectory(heddle: TestHeddle, team: Pick<Team, 'ada'>, maker: Teammate = team.ada) {
  const made = await maker.call('POST', '/scim-tokens', { name: 'Okta' })
  if (made.status !== 200) throw new Error(`Making a token answered ${made.status}: ${made.text}`)
  const { id, token } = made.body as { id: string; token: string }
  const send = (method: string, path: string, json?: unknown, headers?: Record<string, string>) =>
    sendScim(heddle, token, method, path, json, headers)
  return {
    ...{ id, token, send },
    patch: (path: string, ...Operations: object[]) => send('PATCH', path, { schemas: [PATCH], Operations }),
    /** As Okta does. */
    createUser: (userName: string, more: object = {}) =>
      send('POST', '/Users', {
        schemas: [USER],
        userName,
        name: { givenName: 'Bea', familyName: 'Stone' },
        emails: [{ primary: true, value: userName, type: 'work' }],
        ...{ displayName: 'Bea Stone', locale: 'en-US', externalId: '00u1', groups: [], password: '1mz050nq' },
        active: true,
        ...more,
      }),
    createGroup: (displayName: string, ...members: string[]) =>
      send('POST', '/Groups', { displayName, members: members.map((value) => ({ value })) }),
  }
}

export type Directory = Awaited<ReturnType<typeof openDirectory>>

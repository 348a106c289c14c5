// @defends organization-people-rights
// @defends organization-provider-account
/**
 * Calls every route with the ids of another organization: of its people, workspaces, roles, invitations, identity
 * providers, domains, sessions, emails and records, and of everything in its workspace. Once as an admin who has nothing
 * to do with it, and once as its admin, in a session that another organization's provider opened. New routes and tables
 * are included automatically.
 */
import { getTableName } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { users } from '#db/schema/index.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { routes } from '../areas/index.ts'
import type { Route } from './route.ts'
import { addressOf, bodyOf, nameOf } from './testing/calls.ts'
import { NOT_ON_SEED } from './testing/examples.ts'
import { openLimited, userOf } from './testing/people.ts'
import { organizationRows, SEED_ID, SEED_MARK, seedOrganization, tablesOfSeed } from './testing/seed.ts'

const PLATFORM_ADMIN = { email: 'owner@example.com', password: 'Correct-horse-9-staple' }

/** Routes of what an organization has: in the walk of workspaces, where it has none of it, they answer 404. */
const isOfOrganization = (route: Route) => route.path.includes(':') && NOT_ON_SEED[nameOf(route)]?.status === 404
/** Whoever leaves is not asked again. */
const isLast = (route: Route) => Number(nameOf(route) === 'POST /account/leave')
const guarded = routes
  .filter((route) => route.access !== 'public')
  .sort((one, other) => isLast(one) - isLast(other))
  .map((route) => ({ name: nameOf(route), route }))

describe.each(['cloud', 'enterprise', 'open source'])('an installation of type %s', (platformType) => {
  let heddle: TestHeddle
  /** The admin of an organization, who is the platform admin too. */
  let admin: TestClient
  /** An admin of both organizations, whom a provider of the first one signed in. */
  let limited: TestClient
  let before: string
  /** Open source has one organization, and no routes for several. */
  const unfound = platformType === 'open source' ? [403, 404] : [404]

  beforeAll(async () => {
    heddle = await startTestHeddle({ platformType, bindings: { PLATFORM_ADMIN_EMAIL: PLATFORM_ADMIN.email } })
    admin = await heddle.signUp(PLATFORM_ADMIN)
    await heddle.database.update(users).set({ emailVerifiedDate: '2026-01-01T00:00:00.000Z' })
    await seedOrganization(heddle.database)
    const { password } = PLATFORM_ADMIN
    limited = await openLimited(heddle, await userOf(admin), { organizationIds: [SEED_ID], password })
    before = await organizationRows(heddle.database)
  })
  afterAll(() => heddle.close())

  /** Returns the status, and expects that the answer shows nothing of the other organization, which is as before. */
  async function callBlindly(client: TestClient, route: Route): Promise<{ status: number; text: string }> {
    const response = await client.fetch(addressOf(route), { method: route.method, json: bodyOf(route) })
    const text = await response.text()
    expect(text).not.toContain(SEED_MARK)
    expect(response.status).toBeLessThan(500)
    expect(await organizationRows(heddle.database)).toBe(before)
    return { status: response.status, text }
  }

  it('the walk seeds a row in every table of the other organization', () => {
    const rows: Record<string, unknown[]> = JSON.parse(before)
    expect(tablesOfSeed.map(getTableName).filter((name) => !rows[name]?.length)).toEqual([])
  })

  describe.each(guarded)('$name', ({ route }) => {
    it('finds, shows and changes nothing of another organization', async () => {
      const { status, text } = await callBlindly(admin, route)
      if (isOfOrganization(route)) expect(unfound, text).toContain(status)
    })

    it('opens nothing else of the person’s in a session of one organization’s provider', async () => {
      const { status, text } = await callBlindly(limited, route)
      if (route.access === 'account') expect(status, text).toBe(403)
      else if (isOfOrganization(route)) expect([403, 404], text).toContain(status)
    })
  })
})

// @defends organization-people-rights
/**
 * Calls every guarded route with the ids of another organization: of its people, workspaces, roles, invitations,
 * identity providers, domains, sessions, emails and records. New routes and tables are included automatically.
 */
import { getTableName } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { users } from '#db/schema/index.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { routes } from '../areas/index.ts'
import type { Route } from './route.ts'
import { addressOf, bodyOf, nameOf } from './testing/calls.ts'
import { NOT_ON_SEED } from './testing/examples.ts'
import { organizationRows, SEED_MARK, seedOrganization, tablesOfOrganization } from './testing/seed.ts'

const PLATFORM_ADMIN = 'owner@example.com'

let heddle: TestHeddle
/** The admin of an organization, who is the platform admin too. */
let admin: TestClient
let before: string

beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud', bindings: { PLATFORM_ADMIN_EMAIL: PLATFORM_ADMIN } })
  admin = await heddle.signUp({ email: PLATFORM_ADMIN })
  await heddle.database.update(users).set({ emailVerifiedDate: '2026-01-01T00:00:00.000Z' })
  await seedOrganization(heddle.database)
  before = await organizationRows(heddle.database)
})
afterAll(() => heddle.close())

it('the walk seeds a row in every table of the other organization', () => {
  const rows: Record<string, unknown[]> = JSON.parse(before)
  const empty = tablesOfOrganization.map(getTableName).filter((name) => rows[name]?.length !== 1)
  expect(empty).toEqual([])
})

/** Routes of what an organization has: in the walk of workspaces, where it has none of it, they answer 404. */
const isOfOrganization = (route: Route) => route.path.includes(':') && NOT_ON_SEED[nameOf(route)]?.status === 404
const guarded = routes.filter((route) => route.access !== 'public')

describe.each(guarded.map((route) => ({ name: nameOf(route), route })))('$name', ({ route }) => {
  it('finds, shows and changes nothing of another organization', async () => {
    const response = await admin.fetch(addressOf(route), { method: route.method, json: bodyOf(route) })
    const text = await response.text()
    expect(text).not.toContain(SEED_MARK)
    expect(response.status).toBeLessThan(500)
    if (isOfOrganization(route)) expect(response.status, text).toBe(404)
    expect(await organizationRows(heddle.database)).toBe(before)
  })
})

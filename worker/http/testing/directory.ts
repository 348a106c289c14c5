/** A directory of the route walk: its token, and somebody and a group that it knows by the seed's id. */
import { eq, inArray } from 'drizzle-orm'
import {
  organizationDomains,
  organizationMembers,
  scimGroupMembers,
  scimGroups,
  scimTokens,
  users,
  workspaceMembers,
} from '#db/schema/index.ts'
import type { TestClient, TestHeddle } from '../../local/testing/heddle.ts'
import { tokenHash } from '../session/secrets.ts'
import { userOf } from './people.ts'
import { SEED_ID, SEED_MARK } from './seed.ts'

const DATE = '2026-01-01T00:00:00.000Z'
/** Somebody whom the walk provisions. */
const PROVISIONED = 'bea@example.com'

/** Inserts a token that somebody made and returns it. */
export async function putDirectoryToken({ database }: TestHeddle, maker: TestClient): Promise<string> {
  const { id: createdBy, activeOrganizationId: organizationId } = await userOf(maker)
  const token = `directory-${crypto.randomUUID()}`
  const row = { id: crypto.randomUUID(), organizationId, name: 'Directory', createdBy, createdDate: DATE }
  await database.insert(scimTokens).values({ ...row, tokenHash: tokenHash(token) })
  return token
}

/** Puts a person and a group into the organization, in the place of what calls made of them. */
export async function seedDirectory(heddle: TestHeddle, organizationId: string): Promise<void> {
  const { database } = heddle
  await clearDirectory(heddle)
  const person = { id: SEED_ID, email: 'seeded@example.com', name: SEED_MARK, passwordHash: '', activeWorkspaceId: '' }
  await database.insert(users).values({ ...person, createdDate: DATE })
  await database.insert(organizationMembers).values({ organizationId, userId: SEED_ID, createdDate: DATE })
  const stamp = { createdDate: DATE, updatedDate: DATE }
  await database.insert(scimGroups).values({ id: SEED_ID, organizationId, displayName: SEED_MARK, ...stamp })
  await database.insert(scimGroupMembers).values({ organizationId, groupId: SEED_ID, userId: SEED_ID })
  const domain = { organizationId, domain: 'example.com', proof: SEED_MARK, provenDate: DATE, createdDate: DATE }
  await database.insert(organizationDomains).values({ id: SEED_ID, ...domain })
}

export async function clearDirectory({ database }: TestHeddle): Promise<void> {
  await database.delete(scimGroupMembers)
  await database.delete(scimGroups)
  await database.delete(organizationDomains)
  const seeded = (
    await database
      .select()
      .from(users)
      .where(inArray(users.email, ['seeded@example.com', PROVISIONED]))
  )
    .map(({ id }) => id)
    .concat(SEED_ID)
  await database.delete(organizationMembers).where(inArray(organizationMembers.userId, seeded))
  await database.delete(workspaceMembers).where(inArray(workspaceMembers.userId, seeded))
  await database.delete(users).where(inArray(users.id, seeded))
}

/** Returns what a directory may change of an organization, as text. */
export async function directoryRows({ database }: TestHeddle, organizationId: string): Promise<string> {
  const rows = await Promise.all([
    database.select().from(organizationMembers).where(eq(organizationMembers.organizationId, organizationId)),
    database.select().from(scimGroups).where(eq(scimGroups.organizationId, organizationId)),
    database.select().from(scimGroupMembers).where(eq(scimGroupMembers.organizationId, organizationId)),
    database.select().from(users).where(eq(users.id, SEED_ID)),
  ])
  return JSON.stringify(rows)
}

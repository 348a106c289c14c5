import { generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api'
import { afterAll, expect, it } from 'vitest'
import * as schema from '../schema/index.ts'
import { hashMigrations, readLastSnapshot, readRecordedHashes } from './migrations.ts'

// drizzle-kit extends the prototypes, which the tests of other files share.
afterAll(() => {
  for (const prototype of [Array.prototype, String.prototype])
    for (const name of Object.keys(prototype)) Reflect.deleteProperty(prototype, name)
})

it('the migrations create exactly the schema, so that `npm run db:generate` finds nothing to do', async () => {
  const last = readLastSnapshot<Parameters<typeof generateSQLiteMigration>[0]>()
  const now = await generateSQLiteDrizzleJson(schema, last.id)
  expect(await generateSQLiteMigration(last, now)).toEqual([])
})

it('the migrations are unchanged since they were created', () => {
  expect(hashMigrations()).toEqual(readRecordedHashes())
})

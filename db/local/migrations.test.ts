import { generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api'
import { expect, it } from 'vitest'
import * as schema from '../schema/index.ts'
import { hashMigrations, readLastSnapshot, readRecordedHashes } from './migrations.ts'

it('the migrations create exactly the schema, so that `npm run db:generate` finds nothing to do', async () => {
  const last = readLastSnapshot<Parameters<typeof generateSQLiteMigration>[0]>()
  const now = await generateSQLiteDrizzleJson(schema, last.id)
  expect(await generateSQLiteMigration(last, now)).toEqual([])
})

it('the migrations are unchanged since they were created', () => {
  expect(hashMigrations()).toEqual(readRecordedHashes())
})

import { generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api'
import { expect, it } from 'vitest'
import * as schema from '../schema/index.ts'
import { hashMigrations, readLastSnapshot, readRecordedHashes } from './migrations.ts'

it('the migrations make exactly the schema: `npm run db:generate` would find nothing to do', async () => {
  const last = readLastSnapshot<Parameters<typeof generateSQLiteMigration>[0]>()
  const now = await generateSQLiteDrizzleJson(schema, last.id)
  expect(await generateSQLiteMigration(last, now)).toEqual([])
})

it('migrations are append-only: each still says what it said when it was made', () => {
  expect(hashMigrations()).toEqual(readRecordedHashes())
})

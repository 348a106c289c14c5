/**
 * `npm run db:migrate`: migrates the database at LIBSQL_URL to the newest schema before a deployment. With `--check`, as
 * `npm run deploy` calls it, it only fails when the schema is not that of this version.
 */
import { reportFailure } from './cli.ts'
import { readCommandLine } from './command-line/command-line.ts'
import { assertMigrated, migrateDatabase } from './migrate.ts'

const { values } = readCommandLine({
  name: 'npm run db:migrate',
  description: 'Migrates the database at LIBSQL_URL to the newest schema.',
  options: { check: { type: 'boolean', description: 'Change nothing, and fail when the schema is another' } },
  example: '',
})
const { LIBSQL_URL: url, LIBSQL_AUTH_TOKEN: authToken } = process.env

try {
  if (!url) throw new Error('Set LIBSQL_URL, and LIBSQL_AUTH_TOKEN if the database needs one.')
  await (values.check ? assertMigrated : migrateDatabase)({ url, authToken })
  console.log(`The database at ${new URL(url).host} has the newest schema.`)
} catch (error) {
  reportFailure(error)
}

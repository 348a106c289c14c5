/** `npm run db:migrate`: migrates the database at LIBSQL_URL to the newest schema before a deployment. */
import { migrateDatabase } from './migrate.ts'

const { LIBSQL_URL: url, LIBSQL_AUTH_TOKEN: authToken } = process.env

if (url) {
  await migrateDatabase(url, authToken)
  console.log(`The database at ${new URL(url).host} has the newest schema.`)
} else {
  console.error('Set LIBSQL_URL, and LIBSQL_AUTH_TOKEN if the database needs one.')
  process.exitCode = 1
}

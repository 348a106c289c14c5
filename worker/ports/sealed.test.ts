// @defends master-key-leaks
import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { expect, it } from 'vitest'
import * as schema from '#db/schema/index.ts'
import { SEALED_COLUMNS } from './sealed.ts'

/** Columns under the key of their workspace, which stays when the master key changes. */
const OF_WORKSPACES = [
  'chatflows.conversation_secret',
  'credentials.encrypted_data',
  'execution_steps.sealed',
  'mcp_servers.encrypted_auth',
  'oauth_requests.encrypted_data',
  'triggers.encrypted_secrets',
  'variables.encrypted_value',
]

/** Columns that are named like a secret and hold none. */
const NO_SECRETS = ['triggers.previous_secret_until']

it('every column with a secret is known to the change of the master key', () => {
  const tables = Object.values(schema).filter((value) => is(value, SQLiteTable))
  const columns = tables.flatMap((table) =>
    Object.values(getTableColumns(table)).map(({ name }) => `${getTableName(table)}.${name}`),
  )
  const named = columns.filter((column) => /secret|sealed|encrypted|wrapped/.test(column.split('.')[1] ?? ''))
  const known = [...SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`), ...OF_WORKSPACES, ...NO_SECRETS]
  expect(named.sort()).toEqual(known.sort())
})

/** A MySQL database that answers over HTTP, as PlanetScale's do. */
import { connect } from '@planetscale/database'
import {
  assertOneReading,
  DATABASE_LIMITS,
  type Outside,
  type Row,
  type SqlDatabase,
  tablesOfColumns,
} from './sql-database.ts'

const COLUMNS = `select table_name as name, column_name as \`column\`, data_type as type from information_schema.columns
  where table_schema = database() order by table_name, ordinal_position`

/** @param url `mysql://user:password@host/database` */
export function openMysql(url: string, { egress, signal }: Outside): SqlDatabase {
  const parsed = URL.parse(url.trim())
  if (parsed?.protocol !== 'mysql:')
    throw new Error('Give the connection string of the database, mysql://user:password@host/database')
  const connection = connect({
    host: parsed.hostname,
    username: decodeURIComponent(parsed.username),
    password: decodeURIComponent(parsed.password),
    fetch: (address, init) => {
      const { method, headers, body } = init as { method: string; headers: Record<string, string>; body: string }
      return egress.fetch(address, { method, headers, body, signal }, DATABASE_LIMITS)
    },
  })
  const query = async (statement: string): Promise<Row[]> => (await connection.execute<Row>(statement)).rows
  return {
    dialect: 'MySQL',
    query,
    tables: async () => tablesOfColumns(await query(COLUMNS)),
    quoted: (name) => `\`${name.replaceAll('`', '``')}\``,
    assertReads,
  }
}

/** Comments of MySQL may be run, and a backslash goes on with a text, so there are none. */
function assertReads(statement: string): void {
  if (/[\\#]|--|\/\*/.test(statement)) throw new Error('Only statements without comments and backslashes are run')
  assertOneReading(statement, statement.replace(/'[^']*'?|"[^"]*"?|`[^`]*`?/g, ' '))
}

import { DATABASE_SERVER, recordManager } from './record-manager.ts'

export const postgresRecordManager = recordManager({
  label: 'Postgres Record Manager',
  name: 'postgresRecordManager',
  type: 'Postgres RecordManager',
  database: DATABASE_SERVER,
})

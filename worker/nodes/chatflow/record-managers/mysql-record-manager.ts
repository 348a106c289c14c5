import { DATABASE_SERVER, recordManager } from './record-manager.ts'

export const mySqlRecordManager = recordManager({
  label: 'MySQL Record Manager',
  name: 'MySQLRecordManager',
  type: 'MySQL RecordManager',
  database: DATABASE_SERVER,
})

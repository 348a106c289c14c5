import { recordManager } from './record-manager.ts'

export const sqliteRecordManager = recordManager({
  label: 'SQLite Record Manager',
  name: 'SQLiteRecordManager',
  type: 'SQLite RecordManager',
  database: [
    { label: 'Additional connection configuration', name: 'additionalConfig', type: 'json' },
    { label: 'Table name', name: 'tableName', type: 'string' },
  ],
})

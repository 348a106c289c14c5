import { recordManager } from './record-manager.ts'

export const sqliteRecordManager = recordManager({
  label: 'SQLite Record Manager',
  name: 'SQLiteRecordManager',
  type: 'SQLite RecordManager',
  database: [
    { label: 'Additional Connection Configuration', name: 'additionalConfig', type: 'json' },
    { label: 'Table Name', name: 'tableName', type: 'string' },
  ],
})

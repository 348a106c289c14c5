/** The record managers of chat flows. */
import type { PartType } from '../../types.ts'
import { mySqlRecordManager } from './mysql-record-manager.ts'
import { postgresRecordManager } from './postgres-record-manager.ts'
import { sqliteRecordManager } from './sqlite-record-manager.ts'

export const recordManagers: PartType[] = [sqliteRecordManager, postgresRecordManager, mySqlRecordManager]

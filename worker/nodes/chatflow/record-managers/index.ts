/** The record managers of chat flows. */
import type { ComponentNodeType } from '../../types.ts'
import { mySqlRecordManager } from './mysql-record-manager.ts'
import { postgresRecordManager } from './postgres-record-manager.ts'
import { sqliteRecordManager } from './sqlite-record-manager.ts'

export const recordManagers: ComponentNodeType[] = [sqliteRecordManager, postgresRecordManager, mySqlRecordManager]

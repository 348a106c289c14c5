import { expect, it } from 'vitest'
import { mayWrite } from './may-write.ts'

const reads = [
  'SELECT 1',
  '  select * from t',
  'VALUES (1)',
  'EXPLAIN DELETE FROM t',
  'BEGIN',
  'BEGIN DEFERRED',
  'begin deferred transaction;',
  'COMMIT',
  'ROLLBACK',
  'PRAGMA table_info(t)',
  'WITH a AS (SELECT 1) SELECT * FROM a',
]
const writes = [
  'INSERT INTO t VALUES (1)',
  'update t set a = 1',
  'DELETE FROM t',
  'REPLACE INTO t VALUES (1)',
  'BEGIN IMMEDIATE',
  'BEGIN EXCLUSIVE TRANSACTION',
  'CREATE TABLE t (a)',
  'PRAGMA user_version = 1',
  'WITH a AS (SELECT 1) INSERT INTO t SELECT * FROM a',
  'WITH a AS (SELECT 1)\nDELETE FROM t',
  '-- why\nDELETE FROM t',
]
it.each(reads)('treats %s as a read', (sql) => expect(mayWrite(sql)).toBe(false))
it.each(writes)('treats %s as a possible write', (sql) => expect(mayWrite(sql)).toBe(true))

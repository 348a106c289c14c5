/** Moves an installation: from a data folder to a libSQL server and a bucket of S3, or back. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@libsql/client/web'
import { type LibsqlServer, startLibsqlServer } from '#db/local/server.ts'
import { parseS3Settings } from '../../ports/s3/settings.ts'
import { claimFolder } from '../database.ts'
import { findSecrets, type Installation, readSecretsFile, saveSecrets } from '../environment.ts'
import { assertOpens } from '../master-key.ts'
import { assertMigrated, type DatabaseAddress } from '../migrate.ts'
import {
  compareFiles,
  copyFiles,
  type FileBucket,
  type Files,
  findMissing,
  isEmpty,
  markBucket,
  openFolderBucket,
  openS3FileBucket,
  stateOfBucket,
  unmarkBucket,
} from './files.ts'
import { queryServer, readFileRows } from './query.ts'
import {
  compareTables,
  copyTables,
  markTarget,
  openClient,
  readInstallationId,
  stateOfTarget,
  unmarkTarget,
} from './tables.ts'

export type Direction = 'to-server' | 'to-folder'

interface Moved {
  rows: number
  files: number
}

interface MoveOptions {
  say?: (text: string) => void
  /** Leaves behind files whose bytes the source has lost. */
  withoutMissingFiles?: boolean | undefined
}

/**
 * Copies everything, compares counts and hashes, and leaves the source as it is. May be stopped anywhere and repeated. Throws a
 * sentence for people; a target that holds anything but an unfinished move of this installation stays as it is.
 */
export async function moveInstallation(
  settings: Installation,
  direction: Direction,
  options: MoveOptions = {},
): Promise<Moved> {
  const s3 = parseS3Settings(settings.bucket)
  if (!settings.database || !s3)
    throw new Error(
      'Set LIBSQL_URL and S3_BUCKET, with their keys, to the database and the bucket, and DATA_DIR to the folder.',
    )
  const { dataDir, database } = settings
  if (direction === 'to-server' && !existsSync(join(dataDir, 'heddle.db')))
    throw new Error(`There is no Heddle in ${dataDir}. Set DATA_DIR to its folder.`)
  const secrets = direction === 'to-server' ? readSecretsFile(dataDir) : findSecrets(settings)
  const folder = await openFolder(dataDir)
  try {
    const server = { address: database, bucket: openS3FileBucket(s3) }
    const [source, target] = direction === 'to-server' ? [folder, server] : [server, folder]
    await assertMigrated(source.address)
    await assertOpens(source.address, secrets)
    const keepSecrets = () => direction === 'to-folder' && saveSecrets(dataDir, secrets)
    return await move(source, target, { ...options, keepSecrets })
  } finally {
    await folder.close()
  }
}

interface Storage {
  address: DatabaseAddress
  bucket: FileBucket
}

/** A folder may hold longer rows than a server takes, which then says so. */
export const NO_SIZES = {
  rowBytes: Number.POSITIVE_INFINITY,
  answerBytes: Number.POSITIVE_INFINITY,
  answersInFlightBytes: Number.POSITIVE_INFINITY,
}

/** Opens and locks a data folder. */
export async function openFolder(dataDir: string): Promise<Storage & { close(): Promise<void> }> {
  const unlock = claimFolder(dataDir)
  let server: LibsqlServer | undefined
  try {
    server = await startLibsqlServer({ file: join(dataDir, 'heddle.db'), ...NO_SIZES })
    const bucket = await openFolderBucket(dataDir)
    const opened = server
    return {
      address: opened,
      bucket,
      async close() {
        await bucket.close()
        await opened.close()
        unlock()
      },
    }
  } catch (error) {
    await server?.close()
    unlock()
    throw error
  }
}

async function move(
  from: Storage,
  to: Storage,
  { say = () => {}, withoutMissingFiles, keepSecrets }: MoveOptions & { keepSecrets(): void },
): Promise<Moved> {
  const [source, target] = [openClient(from.address), openClient(to.address)]
  try {
    const live = await source.execute(LIVE)
    if (Number(live.rows[0]?.n) > 0)
      throw new Error('Runs are being worked on. Stop every Heddle, and move again in a minute.')
    const keys = (await readFileRows(queryServer(source))).map(({ key }) => key)
    const lacked = await findMissing(keys, from.bucket)
    const missing = await findMissing(lacked, to.bucket)
    if (missing.length > 0 && !withoutMissingFiles) throw new Error(explainMissing(missing, keys.length))
    const kept = lacked.length - missing.length
    if (kept > 0) say(`The target has ${kept} files already`)
    const files = { source: from.bucket, target: to.bucket, isShared: kept > 0 }
    return await copyParts({ source, target, files }, { say, onBegin: keepSecrets })
  } finally {
    source.close()
    target.close()
  }
}

interface Parts {
  source: Client
  /** Undefined for a database that stays where it is. */
  target: Client | undefined
  files: Files | undefined
}

/**
 * Copies and compares what is to be copied. May be stopped anywhere and repeated, which goes on with what has begun. Throws a
 * sentence for people when the target holds anything else.
 */
export async function copyParts(
  { source, target, files }: Parts,
  { say = () => {}, onBegin }: Pick<MoveOptions, 'say'> & { onBegin?: () => void } = {},
): Promise<Moved> {
  const id = await readInstallationId(source)
  // The mark of an unfinished copy is in the database, or in the bucket where that is all of it.
  const bucket = target ? undefined : files?.target
  const state = target ? await stateOfTarget(target, id) : bucket ? await stateOfBucket(bucket, id) : 'begun'
  if (target && state === 'in use')
    throw new Error('The target holds a database already. Name an empty one, or delete what is there.')
  const isFilled = target && state === 'new' && files && !files.isShared && !(await isEmpty(files.target))
  if (state === 'in use' || isFilled) throw new Error('The target holds files already. Name an empty bucket or folder.')
  onBegin?.()
  if (target && state === 'new') await markTarget(target, id)
  if (bucket && state === 'new') await markBucket(bucket, id)
  if (target) await copyTables(source, target, say)
  if (files) await copyFiles(files)
  const rows = target ? await compareTables(source, target) : 0
  const compared = files ? await compareFiles(files) : 0
  if (target) await unmarkTarget(target)
  if (bucket) await unmarkBucket(bucket)
  return { rows, files: compared }
}

const explainMissing = ({ length, 0: first }: string[], all: number) =>
  `The source lacks the bytes of ${length} of ${all} files, such as ${first}. If a bucket has them already, set S3_BUCKET to it. If they are lost, add --without-missing-files.`

const LIVE = `SELECT count(*) AS n FROM executions WHERE state = 'INPROGRESS' AND lease_expires_date > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`

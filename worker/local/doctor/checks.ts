/** Checks of an installation. All run beside a running Heddle, and leave nothing behind. */
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import { errorMessage } from '#contract/errors.ts'
import { listS3Objects } from '../../ports/s3/s3-bucket.ts'
import { parseS3Settings, type S3Settings } from '../../ports/s3/settings.ts'
import { blobFile, listBuckets, listObjects } from '../backup/snapshot.ts'
import type { Installation, LocalEnvironment } from '../environment.ts'
import { lockDataDir } from '../lock.ts'
import type { DatabaseAddress } from '../migrate.ts'
import { type Query, queryFile, queryServer } from '../move/query.ts'
import { explainServerFailure, openClient } from '../move/tables.ts'
import { checkBackups } from './backups.ts'
import { checkContent } from './content.ts'
import { type Finding, fail, ok, warn } from './findings.ts'
import { checkBucket, checkServer } from './servers.ts'
import { explainStorageFailure } from './storage-failure.ts'

const MB = 1024 ** 2
const GB = 1024 ** 3
const OLDEST_NODE = 20

/** Returns the findings of all checks, in order. Each stands for itself; those of the database end where it does not answer. */
export async function examine(
  installation: Installation & Partial<Pick<LocalEnvironment, 'backups'>>,
  now = new Date(),
): Promise<Finding[]> {
  const { dataDir, database, backups } = installation
  const s3 = parseS3Settings(installation.bucket)
  const folder = checkFolder(installation)
  const isUsable = folder.level !== 'fail'
  const findings = [checkNode(process.versions.node), folder]
  if (isUsable && existsSync(dataDir)) findings.push(checkLock(dataDir), checkSpace(dataDir))
  const bucket = s3 ? await checkBucket(s3) : []
  const isDown = bucket.some(({ level }) => level === 'fail')
  const sizes = isDown ? undefined : async () => (s3 ? sizesInBucket(s3) : sizesInFolder(dataDir))
  const check = (query: Query) => checkContent({ installation, query, sizes, now })
  findings.push(...bucket)
  if (database) findings.push(...(await examineServer(database, check)))
  else if (isUsable) findings.push(...(await examineFile(dataDir, check)))
  return backups ? [...findings, ...(await checkBackups(backups, now))] : findings
}

function checkNode(version: string): Finding {
  if (Number.parseInt(version, 10) >= OLDEST_NODE) return ok(`Node ${version}`)
  return fail(`Node ${version} is too old. Install Node ${OLDEST_NODE} or newer.`)
}

function checkFolder({ dataDir, database }: Installation): Finding {
  if (database && !existsSync(dataDir))
    return warn(`There is no folder ${dataDir} on this machine. npm start makes it.`)
  if (!database && !existsSync(join(dataDir, 'heddle.db')))
    return fail(`There is no Heddle in ${dataDir}. Set DATA_DIR to its folder, or start it once with npm start.`)
  try {
    for (const name of database ? ['.'] : ['.', 'heddle.db'])
      accessSync(join(dataDir, name), constants.R_OK | constants.W_OK)
  } catch (error) {
    return fail((explainStorageFailure(error, dataDir) as Error).message)
  }
  const { mode } = statSync(join(dataDir, 'secrets.json'), { throwIfNoEntry: false }) ?? { mode: 0 }
  if (process.platform !== 'win32' && mode & 0o077)
    return warn(`Others on this machine may read ${dataDir}/secrets.json. Run chmod 600 on it.`)
  return ok(`Data folder ${dataDir}`)
}

function checkLock(dataDir: string): Finding {
  try {
    lockDataDir(dataDir)()
    return ok('No Heddle is running on the folder')
  } catch {
    return ok('Heddle is running on the folder')
  }
}

function checkSpace(dataDir: string): Finding {
  const { bavail, bsize } = statfsSync(dataDir)
  const free = bavail * bsize
  const { size } = statSync(join(dataDir, 'heddle.db'), { throwIfNoEntry: false }) ?? { size: 0 }
  const text = `${(free / GB).toFixed(1)} GB are free on the disk`
  if (free < 100 * MB) return fail(`${text}. Free some space, or move the folder to a larger disk and set DATA_DIR.`)
  if (free < Math.max(GB, 3 * size))
    return warn(`${text}. A backup or an upgrade may not find enough: free some space.`)
  return ok(text)
}

type CheckContent = (query: Query) => AsyncGenerator<Finding>

async function examineFile(dataDir: string, check: CheckContent): Promise<Finding[]> {
  const findings: Finding[] = []
  let database: Database.Database | undefined
  try {
    database = new Database(join(dataDir, 'heddle.db'))
    const integrity = checkIntegrity(database, dataDir)
    findings.push(integrity)
    if (integrity.level !== 'fail') for await (const finding of check(queryFile(database))) findings.push(finding)
  } catch (error) {
    findings.push(fail((explainStorageFailure(error, dataDir) as Error).message))
  } finally {
    database?.close()
  }
  return findings
}

async function examineServer(address: DatabaseAddress, check: CheckContent): Promise<Finding[]> {
  const findings: Finding[] = []
  const client = openClient(address)
  const query = queryServer(client)
  try {
    for await (const finding of checkServer(query)) findings.push(finding)
    for await (const finding of check(query)) findings.push(finding)
  } catch (error) {
    findings.push(fail(explainServerFailure(error)))
  } finally {
    client.close()
  }
  return findings
}

function checkIntegrity(database: Database.Database, dataDir: string): Finding {
  const [first] = database.prepare('PRAGMA integrity_check(1)').all() as { integrity_check: string }[]
  if (first?.integrity_check === 'ok') return ok('The database is sound')
  const damage = Object.assign(new Error(first?.integrity_check), { code: 'SQLITE_CORRUPT' })
  return fail(`${(explainStorageFailure(damage, dataDir) as Error).message} SQLite says: ${first?.integrity_check}`)
}

/** Returns the sizes of the objects whose bytes on the disk have that size. */
function sizesInFolder(dataDir: string): Map<string, number> {
  const sizes = new Map<string, number>()
  for (const name of listBuckets(dataDir)) {
    const bucket = new Database(join(dataDir, name))
    try {
      for (const { key, blob, size } of listObjects(bucket)) {
        const bytes = statSync(join(dataDir, blobFile(blob)), { throwIfNoEntry: false })?.size
        if (bytes === size) sizes.set(key, size)
      }
    } catch (error) {
      throw new Error(
        `${join(dataDir, name)} cannot be read: ${errorMessage(error)}. Restore the last backup into a new folder.`,
      )
    } finally {
      bucket.close()
    }
  }
  return sizes
}

async function sizesInBucket(settings: S3Settings): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  for await (const { key, size } of listS3Objects(settings, globalThis)) sizes.set(key, size)
  return sizes
}

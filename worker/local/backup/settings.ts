/** `BACKUP_…` of the environment. */
import { parseS3Settings, S3_NAMES, type S3Settings } from '../../ports/s3/settings.ts'

export interface BackupSettings {
  s3: S3Settings
  /** A cron expression in UTC, if backups are made by schedule. */
  schedule: string | undefined
  /** The number of backups to keep. */
  keep: number
  /** False leaves the keys out of them. */
  withSecrets: boolean
}

const MAX_KEPT = 1000

/** Returns undefined without a bucket for backups. Throws a sentence that names the setting that is missing or wrong. */
export function parseBackupSettings(env: NodeJS.ProcessEnv): BackupSettings | undefined {
  const given = Object.fromEntries(S3_NAMES.map((name) => [name, env[`BACKUP_${name}`] || undefined]))
  const s3 = namingBackups(() => parseS3Settings(given))
  if (!s3 && env.BACKUP_SCHEDULE)
    throw new Error('BACKUP_SCHEDULE is set, but BACKUP_S3_BUCKET is not. Set it to the name of the bucket for backups')
  if (!s3) return undefined
  if (s3.bucket === env.S3_BUCKET && s3.endpoint === parseS3Settings(env)?.endpoint)
    throw new Error(
      'BACKUP_S3_BUCKET is the bucket in S3_BUCKET. Set it to another one, which holds nothing but backups',
    )
  const keep = Number(env.BACKUP_KEEP || 7)
  if (!Number.isInteger(keep) || keep < 1 || keep > MAX_KEPT)
    throw new Error(`BACKUP_KEEP is "${env.BACKUP_KEEP}", but must be a number from 1 to ${MAX_KEPT}`)
  const without = env.BACKUP_WITHOUT_SECRETS || 'false'
  if (!['true', 'false'].includes(without))
    throw new Error(`BACKUP_WITHOUT_SECRETS is "${without}", but must be true or false`)
  return { s3, schedule: env.BACKUP_SCHEDULE || undefined, keep, withSecrets: without === 'false' }
}

/** Does work on the bucket of backups, whose settings have names of their own in what it throws. */
export function namingBackups<Result>(work: () => Result): Result {
  const rename = (error: Error): never => {
    throw new Error(error.message.replaceAll(/\bS3_/g, 'BACKUP_S3_'), { cause: error })
  }
  try {
    const result = work()
    return result instanceof Promise ? (result.catch(rename) as Result) : result
  } catch (error) {
    return rename(error as Error)
  }
}

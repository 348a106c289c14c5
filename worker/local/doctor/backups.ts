/** Checks of the bucket of backups. */
import { errorMessage } from '#contract/errors.ts'
import { isMissed } from '../backup/schedule.ts'
import type { BackupSettings } from '../backup/settings.ts'
import { listBackups, timeOf } from '../backup/stored-backups.ts'
import { type Finding, fail, ok, warn } from './findings.ts'
import { checkBucket } from './servers.ts'

const HOUR_MS = 3_600_000

/** Says when the last backup that was read back was made, and fails when the schedule has missed one. */
export async function checkBackups({ s3, schedule }: BackupSettings, now: Date): Promise<Finding[]> {
  const bucket = (await checkBucket(s3, 'bucket of backups')).map(({ level, text }) => ({
    level,
    text: text.replaceAll(/\bS3_/g, 'BACKUP_S3_'),
  }))
  if (bucket.some(({ level }) => level === 'fail')) return bucket
  try {
    const [newest] = await listBackups(s3)
    return [...bucket, checkAge(newest?.name, schedule, now)]
  } catch (error) {
    return [...bucket, fail(errorMessage(error))]
  }
}

function checkAge(name: string | undefined, schedule: string | undefined, now: Date): Finding {
  const say = schedule ? fail : warn
  if (!name) return say('No backup is in the bucket of backups yet. Make one: npm run backup -- --to-bucket')
  const age = now.getTime() - timeOf(name).getTime()
  const text = `The last backup is ${name}, made ${(age / HOUR_MS).toFixed(1)} hours ago`
  if (schedule && isMissed(schedule, timeOf(name), now))
    return fail(`${text}, but "${schedule}" was due twice since. Look for "The backup" in the log of Heddle.`)
  return ok(text)
}

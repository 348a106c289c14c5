/** `npm run backup`: writes everything of an installation into one archive, also while Heddle runs. */
import { join, resolve } from 'node:path'
import { reportFailure } from '../cli.ts'
import { readCommandLine } from '../command-line/command-line.ts'
import { type LocalEnvironment, readEnvironment } from '../environment.ts'
import { describeCounts } from './archive.ts'
import { backUpToBucket } from './bucket-backup.ts'
import { createBackup } from './create-backup.ts'
import { archiveName } from './stored-backups.ts'

const { values } = readCommandLine({
  name: 'npm run backup',
  description: 'Writes everything of an installation into one archive, also while Heddle runs.',
  options: {
    to: { type: 'string', value: 'FILE', description: 'Write this file, in place of one in DATA_DIR/backups' },
    'to-bucket': { type: 'boolean', description: 'Upload it to the bucket BACKUP_S3_BUCKET' },
    'without-secrets': { type: 'boolean', description: 'Leave out secrets.json, which opens the stored credentials' },
  },
  example: '--to /mnt/backups/heddle.tar.gz',
})

try {
  const environment = readEnvironment()
  if (values.to && values['to-bucket']) throw new Error('Name --to or --to-bucket, not both')
  if (values['to-bucket']) await backUpHere(environment)
  else await backUpToFile(environment)
} catch (error) {
  if (values['to-bucket'])
    console.error(`The backup to the bucket failed: ${(error as Error).message.replaceAll('\n', '. ')}`)
  if (values['to-bucket'] && !process.env.DEBUG) process.exitCode = 1
  else reportFailure(error)
}

async function backUpToFile(installation: LocalEnvironment): Promise<void> {
  const { dataDir, keys } = installation
  const to = values.to ? resolve(values.to) : join(dataDir, 'backups', archiveName())
  const { manifest, missing } = await createBackup({ installation, to, withSecrets: !values['without-secrets'] })
  console.log(`Backed up to ${to}, and read it back: ${describeCounts(manifest)}.`)
  if (missing.length > 0) console.log(`Left out, because their bytes are gone: ${missing.join(', ')}`)
  const lacking = keys.MASTER_KEY ? 'MASTER_KEY and SESSION_KEY' : `${dataDir}/secrets.json`
  console.log(
    manifest.secrets === 'included'
      ? 'It holds secrets.json, which opens the stored credentials: keep it where only you can read it.'
      : `It lacks ${lacking}, without which nobody can read the stored credentials: keep them too.`,
  )
}

/** In one line, for the log of a Heddle that does it by schedule. */
async function backUpHere(environment: LocalEnvironment): Promise<void> {
  const { backups } = environment
  if (!backups) throw new Error('BACKUP_S3_BUCKET is not set. Set it to the name of the bucket for backups')
  const withSecrets = backups.withSecrets && !values['without-secrets']
  const { name, bytes, manifest, missing, deleted } = await backUpToBucket(environment, { ...backups, withSecrets })
  const parts = [
    `Backed up to ${name} in the bucket ${backups.s3.bucket}, and read it back: ${describeCounts(manifest)}, ${(bytes / 1e6).toFixed(1)} MB`,
    manifest.secrets === 'included' ? 'with secrets.json' : 'without secrets.json',
    ...(missing.length > 0 ? [`without ${missing.length} files whose bytes are gone, such as ${missing[0]}`] : []),
    ...(deleted > 0 ? [`deleted ${deleted} older`] : []),
  ]
  console.log(`${parts.join('; ')}.`)
}

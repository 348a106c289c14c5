/** `npm run restore -- FILE`, or `-- --from-bucket NAME`: puts a backup where the settings say: a new data folder, an empty server, an empty bucket. */
import { resolve } from 'node:path'
import { reportFailure } from '../cli.ts'
import { readCommandLine } from '../command-line/command-line.ts'
import { readEnvironment } from '../environment.ts'
import { describeCounts } from './archive.ts'
import { restoreBackup } from './restore-backup.ts'
import { fetchBackup } from './stored-backups.ts'

const { values, positionals } = readCommandLine({
  name: 'npm run restore',
  description: 'Puts a backup where the settings say: a new data folder, an empty server, an empty bucket.',
  arguments: '[FILE]',
  options: {
    'from-bucket': {
      type: 'string',
      value: 'NAME',
      description: 'Download it from BACKUP_S3_BUCKET; latest is the newest',
    },
    secrets: { type: 'string', value: 'FILE', description: 'The secrets.json of a backup that was made without' },
  },
  example: 'heddle.tar.gz',
})

try {
  const name = values['from-bucket']
  const [archive, ...others] = name ? [name, ...positionals] : positionals.map((file) => resolve(file))
  if (!archive || others.length > 0)
    throw new Error('Name one archive: npm run restore -- FILE, or npm run restore -- --from-bucket NAME')
  const installation = readEnvironment()
  const { dataDir, database, bucket, backups } = installation
  if (name && !backups) throw new Error('BACKUP_S3_BUCKET is not set. Set it to the name of the bucket for backups')
  const download = name && backups ? (to: string) => fetchBackup(name, to, backups.s3) : undefined
  const secretsFrom = values.secrets && resolve(values.secrets)
  const { version, createdDate, counts } = await restoreBackup({ archive, download, installation, secretsFrom })
  const places = [
    ...(database ? ['the database at LIBSQL_URL'] : []),
    ...(bucket.S3_BUCKET ? [`the bucket ${bucket.S3_BUCKET}`] : []),
    ...(database && bucket.S3_BUCKET ? [] : [dataDir]),
  ]
  console.log(
    `Restored the backup of ${createdDate}, made by version ${version}, into ${new Intl.ListFormat('en').format(places)}.`,
  )
  console.log(`It has ${describeCounts({ counts })}.`)
  if (database) console.log('Run npm run db:migrate before the start: an older version may have made the backup.')
  console.log('Start it with npm start, with the same settings. Schedules that were due meanwhile run as they say.')
} catch (error) {
  reportFailure(error)
}

/** `npm run restore -- FILE`: puts a backup where the settings say: a new data folder, an empty server, an empty bucket. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { reportFailure } from '../cli.ts'
import { readEnvironment } from '../environment.ts'
import { describeCounts } from './archive.ts'
import { restoreBackup } from './restore-backup.ts'

try {
  const { values, positionals } = parseArgs({ options: { secrets: { type: 'string' } }, allowPositionals: true })
  const [file, ...others] = positionals
  if (!file || others.length > 0) throw new Error('Name one archive: npm run restore -- FILE')
  const installation = readEnvironment()
  const { dataDir, database, bucket } = installation
  const secretsFrom = values.secrets && resolve(values.secrets)
  const { version, createdDate, counts } = await restoreBackup({ archive: resolve(file), installation, secretsFrom })
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

/** `npm run restore -- FILE`: puts a backup into a new data folder. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { reportFailure } from '../cli.ts'
import { readEnvironment, wholeDataDir } from '../environment.ts'
import { describeCounts } from './archive.ts'
import { restoreBackup } from './restore-backup.ts'

try {
  const { values, positionals } = parseArgs({ options: { secrets: { type: 'string' } }, allowPositionals: true })
  const [file, ...others] = positionals
  if (!file || others.length > 0) throw new Error('Name one archive: npm run restore -- FILE')
  const dataDir = wholeDataDir(readEnvironment())
  const secretsFrom = values.secrets && resolve(values.secrets)
  const { version, createdDate, counts } = await restoreBackup({ archive: resolve(file), dataDir, secretsFrom })
  console.log(`Restored the backup of ${createdDate}, made by version ${version}, into ${dataDir}.`)
  console.log(`It has ${describeCounts({ counts })}.`)
  console.log(
    'Start it with npm start, with the same DATA_DIR. Schedules that were due meanwhile run as their settings say.',
  )
} catch (error) {
  reportFailure(error)
}

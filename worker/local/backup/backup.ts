/** `npm run backup`: writes everything of an installation into one archive, also while Heddle runs. */
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { reportFailure } from '../cli.ts'
import { readEnvironment } from '../environment.ts'
import { describeCounts } from './archive.ts'
import { createBackup } from './create-backup.ts'

try {
  const { values } = parseArgs({ options: { to: { type: 'string' }, 'without-secrets': { type: 'boolean' } } })
  const installation = readEnvironment()
  const { dataDir, keys } = installation
  const to = values.to ? resolve(values.to) : join(dataDir, 'backups', defaultName())
  const { manifest, missing } = await createBackup({ installation, to, withSecrets: !values['without-secrets'] })
  console.log(`Backed up to ${to}, and read it back: ${describeCounts(manifest)}.`)
  if (missing.length > 0) console.log(`Left out, because their bytes are gone: ${missing.join(', ')}`)
  console.log(
    manifest.secrets === 'included'
      ? 'It holds secrets.json, which opens the stored credentials: keep it where only you can read it.'
      : `It lacks ${keys.MASTER_KEY ? 'MASTER_KEY and SESSION_KEY' : `${dataDir}/secrets.json`}, without which nobody can read the stored credentials: keep ${keys.MASTER_KEY ? 'both' : 'that file'} too.`,
  )
} catch (error) {
  reportFailure(error)
}

/** As `heddle-2026-03-01T09-30-00Z.tar.gz`. */
function defaultName(): string {
  return `heddle-${new Date().toISOString().replace(/\.\d+/, '').replaceAll(':', '-')}.tar.gz`
}

/** `npm run move -- to-server` and `npm run move -- to-folder`: between DATA_DIR, and LIBSQL_URL and S3_BUCKET. */
import { reportFailure } from '../cli.ts'
import { readCommandLine } from '../command-line/command-line.ts'
import { readEnvironment, readSecretsFile } from '../environment.ts'
import { type Direction, moveInstallation } from './installation.ts'

const KEYS = new Intl.ListFormat('en')
const NEXT: Record<Direction, (dataDir: string) => string> = {
  'to-server': (dataDir) =>
    `Start Heddle with these settings, and with ${KEYS.format(Object.keys(readSecretsFile(dataDir)))} of secrets.json in the folder. Keep the folder until you have a backup.`,
  'to-folder': () => 'Start Heddle with DATA_DIR only.',
}

const { values, positionals } = readCommandLine({
  name: 'npm run move',
  description: 'Moves an installation between DATA_DIR, and LIBSQL_URL and S3_BUCKET. Stop Heddle first.',
  arguments: 'to-server|to-folder',
  options: {
    'without-missing-files': { type: 'boolean', description: 'Leave behind files whose bytes are lost' },
  },
  example: 'to-server',
})

try {
  const direction = positionals[0] as Direction
  if (!NEXT[direction]) throw new Error('Say where to: npm run move -- to-server, or npm run move -- to-folder.')
  const environment = readEnvironment()
  const { rows, files } = await moveInstallation(environment, direction, {
    say: (text) => console.log(text),
    withoutMissingFiles: values['without-missing-files'],
  })
  console.log(`Moved and compared ${rows} rows and ${files} files. ${NEXT[direction](environment.dataDir)}`)
} catch (error) {
  reportFailure(error)
}

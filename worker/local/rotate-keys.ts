/**
 * `npm run keys:rotate`: a new MASTER_KEY. Where the data folder keeps the keys, it makes one, with Heddle stopped. Elsewhere it
 * renews the database at LIBSQL_URL, whose servers have both keys already. It may be killed and run again.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { reportFailure } from './cli.ts'
import { readCommandLine } from './command-line/command-line.ts'
import { openDatabase } from './database.ts'
import { beginKeyRotation, endKeyRotation, findSecrets, type LocalEnvironment, readEnvironment } from './environment.ts'
import { rotateMasterKey } from './master-key.ts'

readCommandLine({
  name: 'npm run keys:rotate',
  description:
    'Changes the MASTER_KEY. Where the data folder keeps the keys, it makes a new one: stop Heddle first. Elsewhere set MASTER_KEY\nand MASTER_KEY_PREVIOUS, as the servers have them.',
  options: {},
  example: '',
})

const { LIBSQL_URL: url, LIBSQL_AUTH_TOKEN: authToken, MASTER_KEY, MASTER_KEY_PREVIOUS } = process.env

try {
  console.log(await rotate())
} catch (error) {
  reportFailure(error)
}

function rotate(): Promise<string> {
  const environment = readEnvironment()
  const keepsKeys = existsSync(join(environment.dataDir, 'secrets.json'))
  if (url && (MASTER_KEY || !keepsKeys)) return rotateRemote(url)
  if (keepsKeys) return rotateLocal(environment)
  throw new Error(
    `There is no Heddle in ${environment.dataDir}. Set DATA_DIR to its folder, or LIBSQL_URL for a remote database.`,
  )
}

async function rotateRemote(url: string): Promise<string> {
  if (!MASTER_KEY || !MASTER_KEY_PREVIOUS)
    throw new Error('Set MASTER_KEY to the new key and MASTER_KEY_PREVIOUS to the old one, as the servers have them.')
  const rotation = await rotateMasterKey({ url, authToken }, { MASTER_KEY, MASTER_KEY_PREVIOUS })
  return `${describe(rotation)} Now remove MASTER_KEY_PREVIOUS from the servers.`
}

async function rotateLocal(environment: LocalEnvironment): Promise<string> {
  // Refuses where the folder's keys are not those of the database.
  findSecrets(environment)
  const { dataDir } = environment
  const database = await openDatabase(environment)
  try {
    const rotation = await rotateMasterKey(database, beginKeyRotation(dataDir))
    endKeyRotation(dataDir)
    return `${describe(rotation)} The new key is in ${dataDir}/secrets.json: back it up.`
  } finally {
    await database.close()
  }
}

function describe({ renewed, unreadable }: Awaited<ReturnType<typeof rotateMasterKey>>): string {
  const lost = unreadable.map((value) => `Neither key opens ${value}, which stays as it is.\n`).join('')
  return `${lost}Renewed ${renewed === 1 ? '1 value' : `${renewed} values`}; nothing needs the old key any more.`
}

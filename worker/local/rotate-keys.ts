/**
 * `npm run keys:rotate`: a new MASTER_KEY. On one machine it makes the key, with Heddle stopped. With LIBSQL_URL it renews a
 * remote database whose servers have both keys already. It may be killed and run again.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beginKeyRotation, endKeyRotation, readEnvironment } from './environment.ts'
import { rotateMasterKey } from './master-key.ts'
import { openLocalDatabase } from './server.ts'

const { LIBSQL_URL: url, LIBSQL_AUTH_TOKEN: authToken, MASTER_KEY, MASTER_KEY_PREVIOUS } = process.env

try {
  console.log(await (url ? rotateRemote(url) : rotateLocal()))
} catch (error) {
  console.error(process.env.DEBUG ? error : (error as Error).message)
  process.exitCode = 1
}

async function rotateRemote(url: string): Promise<string> {
  if (!MASTER_KEY || !MASTER_KEY_PREVIOUS)
    throw new Error('Set MASTER_KEY to the new key and MASTER_KEY_PREVIOUS to the old one, as the servers have them.')
  const rotation = await rotateMasterKey({ url, authToken }, { MASTER_KEY, MASTER_KEY_PREVIOUS })
  return `${describe(rotation)} Now remove MASTER_KEY_PREVIOUS from the servers.`
}

async function rotateLocal(): Promise<string> {
  const { dataDir } = readEnvironment()
  if (!existsSync(join(dataDir, 'secrets.json')))
    throw new Error(
      `There is no Heddle in ${dataDir}. Set DATA_DIR to its folder, or LIBSQL_URL for a remote database.`,
    )
  const database = await openLocalDatabase(dataDir)
  try {
    const rotation = await rotateMasterKey(database.server, beginKeyRotation(dataDir))
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

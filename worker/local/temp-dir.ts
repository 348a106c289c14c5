import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const ENOUGH_BYTES = 2 * 1024 ** 3

/**
 * An empty folder for what nobody needs after the end of this process: the state of Workflow instances, whose work the
 * database knows. They are many small files, each written with care: so in memory, where the system has such a folder.
 * The name is the data folder's, so that what a killed process left is taken away by the next start.
 */
export function openTempDir(dataDir: string): string {
  const name = `heddle-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`
  const folder = join(hasRoom(MEMORY) ? MEMORY : tmpdir(), name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { mode: 0o700 })
  return folder
}

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > ENOUGH_BYTES
}

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, statfsSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const MEMORY = '/dev/shm'
const ENOUGH_BYTES = 2 * 1024 ** 3

/**
 * Returns an empty folder for the state of workerd's own services. Workflow instances are many small files, each written
 * with care, and nobody needs them after the end of this process: the database knows their work. So they go to memory
 * where the system has such a folder. Buckets are a link to `files` in the data folder.
 *
 * The name is the data folder's, so that the next start deletes what a killed process left.
 * @param root the folder inside it that holds a folder for each kind of service
 */
export function openStateDir(dataDir: string, root = '.'): string {
  const name = `heddle-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`
  const folder = join(hasRoom(MEMORY) ? MEMORY : tmpdir(), name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, root), { recursive: true, mode: 0o700 })
  const files = resolve(dataDir, 'files')
  mkdirSync(files, { recursive: true, mode: 0o700 })
  symlinkSync(files, join(folder, root, 'r2'))
  return folder
}

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > ENOUGH_BYTES
}

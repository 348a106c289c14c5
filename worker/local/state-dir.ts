import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const MEMORY = '/dev/shm'
const ENOUGH_BYTES = 2 * 1024 ** 3

/**
 * Returns an empty folder for the state of workerd's own services. It is in memory where possible: Workflow instances are
 * many small files that are synced one by one, and the database holds their work. Buckets link to `files` in the data folder.
 *
 * The name begins with a hash of the data folder, so that the next start deletes what a killed process left. It ends at random: what
 * ends with that process may still be deleting its own.
 * @param root the subfolder with a folder for each kind of service
 */
export function openStateDir(dataDir: string, root = '.'): string {
  const name = `heddle-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`
  const parent = hasSpace(MEMORY) ? MEMORY : tmpdir()
  for (const left of readdirSync(parent))
    if (left.startsWith(name)) rmSync(join(parent, left), { recursive: true, force: true })
  const folder = mkdtempSync(join(parent, `${name}-`))
  mkdirSync(join(folder, root), { recursive: true, mode: 0o700 })
  const files = resolve(dataDir, 'files')
  mkdirSync(files, { recursive: true, mode: 0o700 })
  symlinkSync(files, join(folder, root, 'r2'))
  return folder
}

function hasSpace(folder: string): boolean {
  if (!existsSync(folder)) return false
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > ENOUGH_BYTES
}

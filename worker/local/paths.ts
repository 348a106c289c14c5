/** Paths of the repository, independent of the current folder. */
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')
export const migrationsFolder = join(root, 'migrations')

/** The build's folder. `HEDDLE_DIST` allows several builds side by side. */
export function distFolder(): string {
  return resolve(root, process.env.HEDDLE_DIST || 'dist')
}

/** Where things are in the repository, whatever the current folder is. */
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')
export const migrationsFolder = join(root, 'migrations')

/** The build's folder: `HEDDLE_DIST` lets several builds stand side by side. */
export function distFolder(): string {
  return resolve(root, process.env.HEDDLE_DIST || 'dist')
}

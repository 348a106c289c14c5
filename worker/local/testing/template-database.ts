/** A migrated database, made once for all worker tests: to migrate anew for each would take longer than most of them. */
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { distFolder } from '../paths.ts'

/** Its data folder, in that of the build. */
export const TEST_DATABASE = 'migrated'

/** Gives a data folder the database, unless it has one. */
export function copyTemplateDatabase(dataDir: string): void {
  const file = join(dataDir, 'heddle.db')
  if (!existsSync(file)) cpSync(join(distFolder(), TEST_DATABASE, 'heddle.db'), file)
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../paths.ts'

/** Returns the settings of the tables in the README and in what it refers to. */
export function readSettingNames(): string[] {
  const rows = ['README.md', 'docs/operating.md'].flatMap(
    (file) => readFileSync(join(root, file), 'utf8').match(/^\| `[A-Z].*?\|/gm) ?? [],
  )
  return [...new Set(rows.flatMap((row) => row.match(/(?<=`)[A-Z][A-Z0-9_]+(?=`)/g) ?? []))]
}

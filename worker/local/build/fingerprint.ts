/** Tells whether a build is current, so that a start builds only after changes. */
import { createHash } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from '../paths.ts'

const SOURCES = [
  'web',
  'worker',
  'db',
  'migrations',
  'index.html',
  'vite.config.ts',
  'wrangler.toml',
  'package-lock.json',
]

/** Settings that a build contains. */
const BUILT_IN = ['VITE_API_BASE_URL', 'VITE_UI_BASE_URL']

/** Changes when a source file is added, removed or written, or a setting that a build contains changes. */
export function fingerprintSources(): string {
  const hash = createHash('sha256')
  for (const name of BUILT_IN) hash.update(`${name} ${process.env[name] ?? ''}\n`)
  for (const file of SOURCES.flatMap((source) => filesOf(join(root, source))).sort()) {
    const { size, mtimeMs } = statSync(file)
    hash.update(`${relative(root, file)} ${size} ${mtimeMs}\n`)
  }
  return hash.digest('hex')
}

function filesOf(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

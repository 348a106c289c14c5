/** The built worker as Miniflare expects it: its entry first, then every chunk and wasm file that it may import. */
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import type { V4ModuleDefinition } from 'miniflare'

const TYPES: Record<string, V4ModuleDefinition['type']> = {
  '.js': 'ESModule',
  '.mjs': 'ESModule',
  '.wasm': 'CompiledWasm',
  '.bin': 'Data',
  '.txt': 'Text',
  '.html': 'Text',
}

/** Throws when there is no build at `folder`. */
export function readModules(folder: string): V4ModuleDefinition[] {
  const { main } = readBuildConfig(folder)
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && TYPES[extname(entry.name)])
    .map((entry) => join(entry.parentPath, entry.name))
  return files
    .map((file) => ({ file, path: relative(folder, file).split(sep).join('/') }))
    .sort((a, b) => Number(b.path === main) - Number(a.path === main) || a.path.localeCompare(b.path))
    .map(({ file, path }) => ({ type: TYPES[extname(path)] ?? 'Data', path: file, contents: readFileSync(file) }))
}

export interface BuildConfig {
  main: string
  compatibility_date: string
  compatibility_flags: string[]
}

/** The settings of wrangler.toml at the time of the build. */
export function readBuildConfig(folder: string): BuildConfig {
  return JSON.parse(readFileSync(join(folder, 'wrangler.json'), 'utf8'))
}

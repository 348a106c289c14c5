/**
 * The built worker as Miniflare loads it: an entry, and a service that answers each import with its file. Miniflare copies
 * its configuration a hundred times while it writes it, so the files stay out of it; and the runtime compiles only what
 * is imported.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import type { V4ModuleDefinition } from 'miniflare'
import { Response } from './miniflare.ts'

/** A file as the runtime's module service sends it (workerd's `Worker.Module` as JSON). */
type ModuleAnswer = { esModule: string } | { wasm: number[] }

const READERS: Record<string, (bytes: Buffer) => ModuleAnswer> = {
  '.js': (bytes) => ({ esModule: bytes.toString() }),
  '.wasm': (bytes) => ({ wasm: [...bytes] }),
}

export interface WorkerModules {
  /** Re-exports the build's main file. */
  entry: V4ModuleDefinition
  /** Answers `?specifier=/<path>` with the file; 404 for what the build does not have. */
  answer(request: Pick<Request, 'url'>): InstanceType<typeof Response>
}

/**
 * Reads all files at once, so that a later build in the same folder does not reach a running worker. Throws when there is
 * no build at `folder`.
 */
export function readModules(folder: string): WorkerModules {
  const { main } = readBuildConfig(folder)
  const files = new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && READERS[extname(entry.name)])
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [relative(folder, file).split(sep).join('/'), readFileSync(file)]),
  )
  return {
    entry: {
      type: 'ESModule',
      path: join(folder, 'entry.js'),
      contents: `export * from './${main}'; export { default } from './${main}'`,
    },
    answer: ({ url }) => {
      const name = new URL(url).searchParams.get('specifier')?.slice(1) ?? ''
      const bytes = files.get(name)
      const read = READERS[extname(name)]
      return bytes && read ? Response.json({ name, ...read(bytes) }) : new Response(null, { status: 404 })
    },
  }
}

interface BuildConfig {
  main: string
  compatibility_date: string
  compatibility_flags: string[]
}

/** The settings of wrangler.toml at the time of the build. */
export function readBuildConfig(folder: string): BuildConfig {
  return JSON.parse(readFileSync(join(folder, 'wrangler.json'), 'utf8'))
}

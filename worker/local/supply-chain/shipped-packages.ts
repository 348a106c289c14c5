/** Which packages run in production: what servers install, and what the build puts into the worker and the pages. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSource } from '../import-graph.ts'
import { root } from '../paths.ts'

/** The entry points that a server runs with `npm ci --omit=dev`. */
export const SERVER_ENTRIES = [
  'worker/local/start.ts',
  'worker/local/migrate-remote.ts',
  'worker/local/rotate-keys.ts',
  'worker/local/move/move-command.ts',
  'worker/local/backup/backup.ts',
  'worker/local/backup/restore.ts',
  'worker/local/doctor/doctor.ts',
]
/** What the build bundles, beside the pages that the router finds. */
const BUNDLE_ENTRIES = ['worker/index.ts', 'web/main.tsx', 'web/widget/widget.ts', 'web/widget/react.tsx']

/** A package as package-lock.json describes it. */
interface LockedPackage {
  version: string
  /** An SPDX expression. */
  license?: string
  /** `sha512-` and the hash of the archive in base64. */
  integrity?: string
  resolved?: string
  hasInstallScript?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

type Lock = Record<string, LockedPackage>

/** Keyed by the folder: `node_modules/hono`. The empty key is the product. */
export const readLock = (): Lock => JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages

/** @param specifier as an import has it: `@scope/name/file` */
function toPackageName(specifier: string): string {
  const depth = specifier.startsWith('@') ? 2 : 1
  return specifier.split('/').slice(0, depth).join('/')
}

/** Returns the packages that `entries` name, directly or through our own files. */
export function importedPackages(entries: string[]): string[] {
  const paths = new Set(entries)
  const specifiers: string[] = []
  // A Set that grows is walked to its new end.
  for (const path of paths) {
    const source = readSource(join(root, path))
    for (const file of source.files) if (!file.endsWith('.gen.ts')) paths.add(file)
    specifiers.push(...source.packages)
  }
  return [...new Set(specifiers.filter((name) => !/^(node|cloudflare|virtual):/.test(name)).map(toPackageName))].sort()
}

/** Returns every package that runs in production with all that it depends on, by its folder in node_modules. */
export function readShippedPackages(): Map<string, LockedPackage> {
  const lock = readLock()
  const pages = readdirSync(join(root, 'web/routes'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => `web/routes/${path.replaceAll('\\', '/')}`)
  const names = importedPackages([...SERVER_ENTRIES, ...BUNDLE_ENTRIES, ...pages])
  return closePackages(lock, [...names, ...Object.keys(lock['']?.optionalDependencies ?? {})])
}

/** Returns `names` and what they depend on, found in the folders where Node looks. */
function closePackages(lock: Lock, names: string[]): Map<string, LockedPackage> {
  const found = new Map<string, LockedPackage>()
  const waiting = names.map((name) => ({ name, from: '' }))
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const folder = findFolder(lock, next.name, next.from)
    if (folder === null || found.has(folder)) continue
    const locked = lock[folder] as LockedPackage
    found.set(folder, locked)
    waiting.push(...neededBy(locked).map((name) => ({ name, from: folder })))
  }
  return found
}

function neededBy({
  dependencies,
  optionalDependencies,
  peerDependencies,
  peerDependenciesMeta,
}: LockedPackage): string[] {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional)
  // Types are erased by the build.
  return Object.keys({ ...dependencies, ...optionalDependencies })
    .concat(peers)
    .filter((name) => !name.startsWith('@types/'))
}

/** Returns null for a package that is not installed: an optional one, or a module of the platform. */
function findFolder(lock: Lock, name: string, from: string): string | null {
  const folder = join(from, 'node_modules', name)
  if (lock[folder]) return folder
  if (from === '') return null
  return findFolder(lock, name, from.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, ''))
}

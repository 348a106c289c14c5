/** Reads the repository's import graph, so that a test can hold it against the architecture. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { root } from './paths.ts'

export interface SourceFile {
  /** From the repository's root, with `/`: `worker/engine/plan.ts`. */
  path: string
  text: string
  /** What it imports from the repository, as paths like `path`. */
  files: string[]
  /** What it imports from elsewhere: `zod`, `node:fs`. */
  packages: string[]
}

const ROOMS = ['web', 'worker', 'db', 'e2e']
const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)(['"])([.#@\w][\w@./#:?-]*)\1/g

/** A test, or what only tests use: a file or folder named `testing`. */
export function isTest(path: string): boolean {
  return /\.(test|worker-test|spec)\.tsx?$|\/testing(\/|\.ts$)/.test(path)
}

export function readSources(): SourceFile[] {
  return ROOMS.flatMap((room) => readdirSync(join(root, room), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.gen.ts'))
    .map((entry) => readSource(join(entry.parentPath, entry.name)))
}

function readSource(file: string): SourceFile {
  const text = readFileSync(file, 'utf8')
  const specifiers = [...withoutComments(text).matchAll(IMPORT)].map((match) => withoutQuery(match[2] as string))
  const isOurs = (specifier: string) => /^[.#]/.test(specifier)
  return {
    path: toPath(file),
    text,
    files: specifiers.filter(isOurs).map((specifier) => toPath(resolveFile(file, specifier))),
    packages: specifiers.filter((specifier) => !isOurs(specifier)),
  }
}

/** `./path.ts?guest` is the file `./path.ts`. */
const withoutQuery = (specifier: string) => specifier.replace(/\?\w+$/, '')

/** The `imports` of package.json, which name the rooms. */
const aliases: Record<string, string> = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).imports

function resolveFile(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return resolve(dirname(from), specifier)
  const alias = Object.keys(aliases).find((name) => specifier.startsWith(name.slice(0, -1)))
  if (!alias) throw new Error(`${from} imports ${specifier}, which package.json does not know`)
  return join(root, (aliases[alias] as string).slice(0, -1), specifier.slice(alias.length - 1))
}

/** Every file that can be reached from `entries` by imports, the entries included. */
export function reach(sources: SourceFile[], entries: string[]): Set<string> {
  const byPath = new Map(sources.map((source) => [source.path, source]))
  const reached = new Set<string>()
  const waiting = [...entries]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue
    reached.add(path)
    waiting.push(...(byPath.get(path)?.files ?? []))
  }
  return reached
}

export function exists(path: string): boolean {
  return existsSync(join(root, path))
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
}

function toPath(file: string): string {
  return relative(root, file).split(sep).join('/')
}

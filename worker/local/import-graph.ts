/** Reads the repository's import graph, for the architecture tests and the build. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { parseSync, Visitor } from 'vite'
import { root } from './paths.ts'

export interface SourceFile {
  /** From the repository's root, with `/`: `worker/engine/plan.ts`. */
  path: string
  text: string
  /** Imported files of the repository, in the form of `path`. */
  files: string[]
  /** The part of `files` that is loaded immediately: neither types nor dynamic imports. */
  values: string[]
  /** Imported packages: `zod`, `node:fs`. */
  packages: string[]
}

const ROOMS = ['web', 'worker', 'db', 'e2e']
const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)(['"])([.#@\w][\w@./#:?-]*)\1/g

/** True for tests, stories, and helpers in a file or folder named `testing`, or in the workshop of stories. */
export function isTest(path: string): boolean {
  return /\.(test|worker-test|spec|stories)\.tsx?$|\/testing(\/|\.ts$)|^web\/workshop\//.test(path)
}

export function readSources(): SourceFile[] {
  return ROOMS.flatMap((room) => readdirSync(join(root, room), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.gen.ts'))
    .map((entry) => readSource(join(entry.parentPath, entry.name)))
}

/** @param file absolute */
export function readSource(file: string): SourceFile {
  const text = readFileSync(file, 'utf8')
  const specifiers = [...withoutComments(text).matchAll(IMPORT)].map((match) => withoutQuery(match[2] as string))
  const isOurs = (specifier: string) => /^[.#]/.test(specifier)
  const pathOf = (specifier: string) => toPath(resolveFile(file, specifier))
  return {
    path: toPath(file),
    text,
    files: specifiers.filter(isOurs).map(pathOf),
    values: valueSpecifiers(file, text).map(withoutQuery).filter(isOurs).map(pathOf),
    packages: specifiers.filter((specifier) => !isOurs(specifier)),
  }
}

function valueSpecifiers(file: string, text: string): string[] {
  const { staticImports, staticExports } = parseSync(file, text).module
  const imports = staticImports
    .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
    .map(({ moduleRequest }) => moduleRequest.value)
  const exports = staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest, isType }) => (moduleRequest && !isType ? [moduleRequest.value] : [])),
  )
  return [...imports, ...exports]
}

/** `./path.ts?guest` is the file `./path.ts`. */
const withoutQuery = (specifier: string) => specifier.replace(/\?\w+$/, '')

/** The `imports` of package.json: the aliases of the rooms. */
const aliases: Record<string, string> = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).imports

function resolveFile(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return resolve(dirname(from), specifier)
  const alias = Object.keys(aliases).find((name) => specifier.startsWith(name.slice(0, -1)))
  if (!alias) throw new Error(`${from} imports ${specifier}, which package.json does not define`)
  return join(root, (aliases[alias] as string).slice(0, -1), specifier.slice(alias.length - 1))
}

/** Returns the files that `entries` import directly or indirectly, including `entries`. */
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

/** Returns groups of files that import each other, each sorted. `arrows` selects the imports that count. */
export function findCircles<T extends { path: string }>(sources: T[], arrows: (source: T) => string[]): string[][] {
  const targets = new Map(sources.map((source) => [source.path, arrows(source)]))
  const reachable = new Map(sources.map(({ path }) => [path, reachFrom(path, targets)]))
  const inCircles = sources.map(({ path }) => path).filter((path) => reachable.get(path)?.has(path))
  const circles = inCircles.map((path) =>
    inCircles.filter((other) => reachable.get(path)?.has(other) && reachable.get(other)?.has(path)).sort(),
  )
  return [...new Map(circles.map((circle) => [circle.join(), circle])).values()].sort()
}

/** Returns the files that `path` imports; `path` itself only when it is part of a circle. */
function reachFrom(path: string, targets: Map<string, string[]>): Set<string> {
  const reached = new Set<string>()
  const waiting = [...(targets.get(path) ?? [])]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (reached.has(next)) continue
    reached.add(next)
    waiting.push(...(targets.get(next) ?? []))
  }
  return reached
}

/**
 * Returns groups of rooms that import values of each other, each sorted.
 * @param roomOf returns undefined for files that do not count
 */
export function findRoomCircles(sources: SourceFile[], roomOf: (path: string) => string | undefined): string[][] {
  const inRooms = sources.filter(({ path }) => roomOf(path) !== undefined)
  const rooms = [...Map.groupBy(inRooms, ({ path }) => roomOf(path))].map(([room = '', files]) => {
    const imported = files.flatMap(({ values }) => values.flatMap((file) => roomOf(file) ?? []))
    return { path: room, others: imported.filter((other) => other !== room) }
  })
  return findCircles(rooms, ({ others }) => others)
}

/** Returns the exports that no other file imports, as `path name`. A file that is imported as a whole uses all of its names. */
export function findUnusedExports(sources: SourceFile[]): string[] {
  const used = new Set(sources.flatMap(importedNames))
  return sources.flatMap((source) =>
    moduleOf(source)
      .staticExports.flatMap(({ entries }) => entries)
      .flatMap(({ exportName, moduleRequest }) => (moduleRequest ? [] : (exportName.name ?? exportName.kind)))
      .filter((name) => !used.has(`${source.path} ${name}`) && !used.has(`${source.path} *`))
      .map((name) => `${source.path} ${name}`),
  )
}

const modules = new WeakMap<SourceFile, ReturnType<typeof parseSync>['module']>()

/** Parses a file once. */
function moduleOf(source: SourceFile) {
  const known = modules.get(source) ?? parseSync(source.path, source.text).module
  modules.set(source, known)
  return known
}

/** Returns what a file imports of others, as `path name`; `path *` for all names of it. */
function importedNames(source: SourceFile): string[] {
  const { path, text } = source
  const { staticImports, staticExports, dynamicImports } = moduleOf(source)
  const nameIn = (specifier: string, name: string) => {
    const bare = withoutQuery(specifier)
    return /^[.#]/.test(bare) ? [`${toPath(resolveFile(join(root, path), bare))} ${name}`] : []
  }
  return [
    ...staticImports.flatMap(({ moduleRequest, entries }) =>
      entries.flatMap(({ importName: { kind, name } }) =>
        nameIn(moduleRequest.value, kind === 'Name' ? (name as string) : kind === 'Default' ? 'Default' : '*'),
      ),
    ),
    ...staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, importName }) =>
        moduleRequest ? nameIn(moduleRequest.value, importName.name ?? '*') : [],
      ),
    ),
    ...dynamicImports.flatMap(({ moduleRequest: { start, end } }) => nameIn(text.slice(start + 1, end - 1), '*')),
    ...[...text.matchAll(/\bimport\('([.#][^']+)'\)\.(\w+)/g)].flatMap(([, from = '', name = '']) =>
      nameIn(from, name),
    ),
  ]
}

/** Returns the number of lines of the longest function with a block body. */
export function longestFunction({ path, text }: SourceFile): number {
  let longest = 0
  const measure = ({ start, end, body }: { start: number; end: number; body?: { type: string } | null }) => {
    const isBlock = body?.type === 'BlockStatement' || body?.type === 'FunctionBody'
    if (isBlock) longest = Math.max(longest, text.slice(start, end).split('\n').length)
  }
  new Visitor({
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
  }).visit(parseSync(path, text).program)
  return longest
}

export function exists(path: string): boolean {
  return existsSync(join(root, path))
}

export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
}

function toPath(file: string): string {
  return relative(root, file).split(sep).join('/')
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { VERSION } from '#contract/version.ts'
import { hashMigrations } from '#db/local/migrations.ts'
import { exists } from './import-graph.ts'
import { root } from './paths.ts'

const read = (page: string) => readFileSync(join(root, page), 'utf8')

const pagesIn = (folder: string) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`)

const pages = [
  ...['ARCHITECTURE.md', 'CONTRIBUTING.md', 'README.md', 'SECURITY.md', 'UPGRADING.md', 'docs/security.md'],
  ...pagesIn('docs/architecture'),
  ...pagesIn('docs/contributing'),
]

/** Paths from the root in backticks, except patterns (`<area>`, `*`). */
const pathsIn = (text: string) =>
  [...text.matchAll(/`((?:web|worker|db|e2e|migrations|docs)\/[^`\s]+)`/g)]
    .map(([, path]) => path as string)
    .filter((path) => !/[<*{]/.test(path))

it.each(pages)('finds every path that %s names', (page) => {
  const paths = pathsIn(readFileSync(join(root, page), 'utf8'))
  expect(paths.filter((path) => !exists(path))).toEqual([])
})

/** The big rooms, which say for themselves what they are, what they may import, how to add to them, and what proves it. */
const rooms = [
  ...[
    'areas',
    'contract/flow',
    'emails',
    'engine',
    'http',
    'knowledge',
    'models',
    'nodes',
    'ports',
    'runs',
    'tools',
  ].map((room) => `worker/${room}`),
  ...['areas', 'builder', 'canvas', 'chat'].map((room) => `web/${room}`),
  'db',
  'e2e',
]

it.each(rooms)('%s has a README of at most 15 lines that says what belongs there', (room) => {
  const text = read(`${room}/README.md`)
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(15)
  for (const part of ['May import', 'To add', 'Proof']) expect(text).toContain(`- **${part}**: `)
  expect(pathsIn(text).filter((path) => !exists(path))).toEqual([])
})

it('keeps ARCHITECTURE.md within 14 KB', () => {
  expect(Buffer.byteLength(read('ARCHITECTURE.md'))).toBeLessThanOrEqual(14 * 1024)
})

it('tells operators of every migration what it does', () => {
  const rows = [...read('UPGRADING.md').matchAll(/^\| `(\d{4}_\w+)` \|/gm)].map(([, name]) => name)
  expect(rows).toEqual(Object.keys(hashMigrations()))
})

it('has a section of the changelog and release notes for the version of the package', () => {
  expect(read('CHANGELOG.md')).toContain(`\n## ${VERSION}, `)
  expect(read(`docs/releases/${VERSION}.md`)).toContain(`# Heddle ${VERSION}\n`)
})

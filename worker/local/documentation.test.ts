import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { VERSION } from '#contract/version.ts'
import { hashMigrations } from '#db/local/migrations.ts'
import { exists } from './import-graph.ts'
import { root } from './paths.ts'

const pages = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'README.md', 'SECURITY.md', 'UPGRADING.md']

const read = (page: string) => readFileSync(join(root, page), 'utf8')

/** Paths from the root in backticks, except patterns (`<area>`, `*`). */
const pathsIn = (text: string) =>
  [...text.matchAll(/`((?:web|worker|db|e2e|migrations|docs)\/[^`\s]+)`/g)]
    .map(([, path]) => path as string)
    .filter((path) => !/[<*{]/.test(path))

it.each(pages)('finds every path that %s names', (page) => {
  const paths = pathsIn(readFileSync(join(root, page), 'utf8'))
  expect(paths.filter((path) => !exists(path))).toEqual([])
})

it('finds at least 20 entries under “Where to look” in ARCHITECTURE.md', () => {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
  const table = /### Where to look\n\n([\s\S]*?)\n\n/.exec(text)?.[1] ?? ''
  const rows = table.split('\n').slice(2)
  expect(rows.length).toBeGreaterThanOrEqual(20)
  expect(rows.filter((row) => pathsIn(row).length === 0)).toEqual([])
})

it('tells operators of every migration what it does', () => {
  const rows = [...read('UPGRADING.md').matchAll(/^\| `(\d{4}_\w+)` \|/gm)].map(([, name]) => name)
  expect(rows).toEqual(Object.keys(hashMigrations()))
})

it('has a section of the changelog and release notes for the version of the package', () => {
  expect(read('CHANGELOG.md')).toContain(`\n## ${VERSION}, `)
  expect(read(`docs/releases/${VERSION}.md`)).toContain(`# Heddle ${VERSION}\n`)
})

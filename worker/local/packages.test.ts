import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readSource } from './import-graph.ts'
import { root } from './paths.ts'

/** What a server runs with `npm ci --omit=dev`. The worker and the pages are bundled by then. */
const ENTRIES = ['worker/local/start.ts', 'worker/local/migrate-remote.ts']

const packageOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

/** What `entries` and the files that they import, directly or not, name as packages. */
function importedPackages(entries: string[]): string[] {
  const paths = new Set(entries)
  const packages: string[] = []
  // A Set that grows is walked to its new end.
  for (const path of paths) {
    const source = readSource(join(root, path))
    for (const file of source.files) paths.add(file)
    packages.push(...source.packages)
  }
  return packages
}

it('the dependencies are exactly the packages that a built product imports, and all others are for development', () => {
  const imported = importedPackages(ENTRIES).filter((name) => !name.startsWith('node:'))
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect([...new Set(imported.map(packageOf))].sort()).toEqual(Object.keys(dependencies).sort())
})

it('every package is pinned to one version', () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  )
  const versions = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version)))).toEqual([])
})

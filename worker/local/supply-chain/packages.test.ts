// @defends package-changes-unseen
import { readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { expect, it } from 'vitest'
import { readSource } from '../import-graph.ts'
import { root } from '../paths.ts'
import { importedPackages, readLock, readShippedPackages, SERVER_ENTRIES } from './shipped-packages.ts'

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** What a product under Apache-2.0 may be given away with. OFL-1.1 is the licence of the font. */
const LICENSES = [
  '(AFL-2.1 OR BSD-3-Clause)',
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'OFL-1.1',
  'Unlicense',
]
/** The image libraries that miniflare asks for: servers install them beside the product, and no bundle has them. */
const INSTALLED_BESIDE = /^node_modules\/@img\/sharp-/
/** Packages whose manifest names its licence in an older form, and the licence that it names. */
const LICENSES_READ_BY_HAND: Record<string, string> = { 'node_modules/querystring-es3': 'MIT' }

it('the dependencies are exactly the packages that a built product imports, and all others are for development', () => {
  expect(importedPackages(SERVER_ENTRIES)).toEqual(Object.keys(manifest.dependencies).sort())
})

/** Without what only types import. */
function loadedFiles(entries: string[]): Set<string> {
  const paths = new Set(entries)
  for (const path of paths) {
    const { text, values } = readSource(join(root, path))
    const lazy = [...text.matchAll(/\bimport\('(\.[^']+)'\)/g)].map(([, name = '']) => posix.join(dirname(path), name))
    for (const file of [...values, ...lazy]) paths.add(file)
  }
  return paths
}

it('the image has every file of ours that its programs load', () => {
  const copied = [...readFileSync(join(root, 'Dockerfile'), 'utf8').matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(
    ([, paths = '']) => paths.split(' '),
  )
  const isCopied = (path: string) => copied.some((from) => path === from || path.startsWith(`${from}/`))
  expect([...loadedFiles(SERVER_ENTRIES)].filter((path) => !isCopied(path))).toEqual([])
})

it('every package is pinned to one version', () => {
  const { dependencies, devDependencies, optionalDependencies } = manifest
  const versions = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version)))).toEqual([])
})

it('every locked package has the hash of its archive and comes from the registry', () => {
  const installed = Object.entries(readLock()).filter(([folder]) => folder !== '')
  expect(installed.length).toBeGreaterThan(500)
  expect(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([folder]) => folder)).toEqual(
    [],
  )
  expect(
    installed.filter(([, { resolved }]) => resolved && !resolved.startsWith('https://')).map(([folder]) => folder),
  ).toEqual([])
})

it('no package runs a script when it is installed', () => {
  const scripted = Object.entries(readLock()).filter(([, { hasInstallScript }]) => hasInstallScript)
  const names = scripted.map(([folder]) => folder.replace(/^.*node_modules\//, ''))
  expect(names.filter((name) => manifest.allowScripts[name] !== false)).toEqual([])
})

it('every package that runs in production has a licence that Apache-2.0 allows', () => {
  const shipped = [...readShippedPackages()]
  expect(shipped.map(([folder]) => folder)).toEqual(
    expect.arrayContaining([
      'node_modules/miniflare',
      'node_modules/hono',
      'node_modules/react',
      'node_modules/preact',
    ]),
  )
  const refused = shipped
    .filter(([folder]) => !INSTALLED_BESIDE.test(folder))
    .filter(([folder, { license }]) => !LICENSES.includes(license ?? LICENSES_READ_BY_HAND[folder] ?? ''))
  expect(refused.map(([folder]) => folder)).toEqual([])
})

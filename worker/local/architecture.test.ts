import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exists, isTest, reach, readSources } from './import-graph.ts'
import { root } from './paths.ts'

const sources = readSources()
const code = sources.filter((source) => !isTest(source.path))
const in_ = (folder: string) => code.filter((source) => source.path.startsWith(`${folder}/`))
const areaOf = (path: string, folder: string) => new RegExp(`^${folder}/areas/([^/]+)/`).exec(path)?.[1]

describe('import arrows', () => {
  /** Everything below `from` may import only repository files that match `may`, and packages that match `packages`. */
  const arrows: { from: string; may: RegExp; packages?: RegExp; because: string }[] = [
    {
      from: 'worker/contract',
      may: /^worker\/contract\//,
      packages: /^(zod|croner)$/,
      because: 'browser and worker both run the contract: it imports itself and packages that are pure',
    },
    {
      from: 'web',
      may: /^(web|worker\/contract)\//,
      packages: /^(?!node:|hono|drizzle-orm|@libsql)/,
      because: 'the browser knows the worker through its contract alone',
    },
    {
      from: 'web/ui',
      may: /^(web\/(ui|state)|worker\/contract)\//,
      because: 'web/ui knows no API and holds no state, so that everything can use it',
    },
    {
      from: 'web/state',
      may: /^(web\/state|worker\/contract)\//,
      because: 'toasts, questions and failures are asked for from everywhere, so they know nobody',
    },
    {
      from: 'worker/engine',
      may: /^worker\/(engine|contract|ports)\/|^worker\/[^/]+\/types\.ts$|^worker\/nodes\/(index|registry)\.ts$/,
      packages: /^(?!hono|drizzle-orm|@libsql)/,
      because: 'the engine knows nodes through the registry and the world through ports',
    },
    ...['nodes', 'llm', 'models', 'tools'].map((room) => ({
      from: `worker/${room}`,
      may: /^worker\/(nodes|llm|models|tools|contract|engine|ports)\//,
      packages: /^(?!hono|drizzle-orm|@libsql)/,
      because: 'nodes, models and tools get the world passed in',
    })),
    {
      from: 'worker/components',
      may: /^(db|worker\/(components|contract|engine|nodes|ports))\/|^worker\/services\.ts$/,
      packages: /^(?!hono|@libsql)/,
      because: 'components of a workspace are opened for runs and areas alike, so they know neither',
    },
    {
      from: 'worker/runs',
      may: /^(db|worker\/(runs|components|jobs|contract|engine|nodes|llm|models|tools|ports))\/|^worker\/services\.ts$/,
      packages: /^(?!hono|@libsql)/,
      because: 'areas import the domain of a run, never the other way',
    },
    {
      from: 'worker/jobs',
      may: /^worker\/(jobs|contract)\/|^worker\/services\.ts$/,
      because: 'jobs know nothing of what they run',
    },
    { from: 'db', may: /^(db|worker\/contract)\//, because: 'the database imports the contract at most' },
  ]

  it.each(arrows)('$from: $because', ({ from, may, packages }) => {
    const wrong = in_(from).flatMap((source) => [
      ...source.files.filter((file) => !may.test(file)).map((file) => `${source.path} -> ${file}`),
      ...source.packages.filter((name) => packages && !packages.test(name)).map((name) => `${source.path} -> ${name}`),
    ])
    expect(wrong).toEqual([])
  })

  it('areas of the browser do not import each other', () => {
    const wrong = in_('web/areas').flatMap((source) =>
      source.files
        .filter((file) => (areaOf(file, 'web') ?? areaOf(source.path, 'web')) !== areaOf(source.path, 'web'))
        .map((file) => `${source.path} -> ${file}`),
    )
    expect(wrong).toEqual([])
  })

  it('areas of the worker reach each other only through index.ts', () => {
    const wrong = in_('worker/areas').flatMap((source) => {
      const own = areaOf(source.path, 'worker')
      return source.files
        .filter((file) => own && ![undefined, own].includes(areaOf(file, 'worker')) && !file.endsWith('/index.ts'))
        .map((file) => `${source.path} -> ${file}`)
    })
    expect(wrong).toEqual([])
  })

  it('what runs in Node stays out of the product', () => {
    const node = /^(worker\/local|db\/local|e2e)\//
    const wrong = code
      .filter((source) => !node.test(source.path))
      .flatMap((source) => source.files.filter((file) => node.test(file)).map((file) => `${source.path} -> ${file}`))
    expect(wrong).toEqual([])
  })

  it('every import leads to a file', () => {
    const missing = sources.flatMap((source) =>
      source.files
        .map((file) => file.replace(/\?.*$/, ''))
        .filter((file) => !exists(file))
        .map((file) => `${source.path} -> ${file}`),
    )
    expect(missing).toEqual([])
  })
})

describe('registries', () => {
  it('every area of the worker has its line', () => {
    const folders = readdirSync(join(root, 'worker/areas'), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    )
    const mounted = code.find((source) => source.path === 'worker/areas/index.ts')?.files
    const missing = folders
      .map(({ name }) => `worker/areas/${name}/routes.ts`)
      .filter((file) => !mounted?.includes(file))
    expect(missing).toEqual([])
  })

  it.each(['worker/models', 'worker/tools', 'worker/nodes'])(
    'every file of %s is in its index, or used by others',
    (room) => {
      const others = code.filter((source) => !source.path.startsWith(`${room}/`)).flatMap((source) => source.files)
      const reached = reach(code, [`${room}/index.ts`, ...others.filter((file) => file.startsWith(`${room}/`))])
      expect(
        in_(room)
          .map((source) => source.path)
          .filter((path) => !reached.has(path)),
      ).toEqual([])
    },
  )

  it('nothing stands there that nothing uses', () => {
    const isEntry = (path: string) =>
      isTest(path) ||
      /^(web\/main\.tsx|worker\/index\.ts|db\/schema\/index\.ts)$/.test(path) ||
      /^(web\/routes|e2e)\//.test(path) ||
      path === 'db/local/record-migrations.ts' ||
      /^worker\/local\/(start|dev|fuzz|migrate-remote|build-for-tests)\.ts$/.test(path)
    const entries = sources.filter((source) => isEntry(source.path)).map((source) => source.path)
    const fromConfigs = ['worker/local/paths.ts', 'worker/local/guest-modules.ts']
    const reached = reach(sources, [...entries, ...fromConfigs])
    expect(
      sources.map((source) => source.path).filter((path) => !reached.has(path) && !path.endsWith('.d.ts')),
    ).toEqual([])
  })
})

it('raw hex colours stand in the tokens alone', () => {
  const hex = /(?<![\w&])#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})\b(?!\/)/i
  const page = (path: string) =>
    path.startsWith('web/') && !['web/ui/tokens.ts', 'web/canvas/testing/flows.ts'].includes(path)
  expect(code.filter(({ path, text }) => page(path) && hex.test(text)).map(({ path }) => path)).toEqual([])
})

it('no file is longer than 700 lines', () => {
  expect(sources.filter((source) => source.text.split('\n').length > 700).map((source) => source.path)).toEqual([])
})

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FLOW_TYPES } from '#contract/flow/flow-types.ts'
import {
  exists,
  findCircles,
  findRoomCircles,
  findUnusedExports,
  isTest,
  longestFunction,
  reach,
  readSource,
  readSources,
  type SourceFile,
  withoutComments,
} from './import-graph.ts'
import { root } from './paths.ts'
import { ONLY_FOR_TESTS } from './testing/only-for-tests.ts'

const sources = readSources()
const code = sources.filter((source) => !isTest(source.path))
const in_ = (folder: string) => code.filter((source) => source.path.startsWith(`${folder}/`))
const areaOf = (path: string, folder: string) => new RegExp(`^${folder}/areas/([^/]+)/`).exec(path)?.[1]

describe('import arrows', () => {
  /** Files below `from` may import only repository files that match `may` and packages that match `packages`. */
  const arrows: { from: string; may: RegExp; packages?: RegExp; because: string }[] = [
    {
      from: 'worker/contract',
      may: /^worker\/contract\//,
      packages: /^(zod|croner)$/,
      because: 'browser and worker both run the contract, so it imports only itself and pure packages',
    },
    {
      from: 'web',
      may: /^(web|worker\/contract)\//,
      packages: /^(?!node:|hono|drizzle-orm|@libsql)/,
      because: 'the browser depends only on the contract of the worker',
    },
    {
      from: 'web/ui',
      may: /^(web\/(ui|state)|worker\/contract)\//,
      because: 'components without API calls and state can be used everywhere',
    },
    {
      from: 'web/state',
      may: /^(web\/state|worker\/contract)\//,
      because: 'toasts, confirmations and failures are used everywhere, so they import no other room',
    },
    {
      from: 'web/canvas',
      may: /^web\/(canvas|chat|inputs|ui|state|api)\/|^worker\/contract\//,
      because: 'the editor depends neither on the builder nor on an area',
    },
    {
      from: 'web/canvas/geometry',
      may: /^(web\/canvas\/geometry|worker\/contract)\//,
      packages: /^$/,
      because: 'where everything is follows from the document alone',
    },
    {
      from: 'web/canvas/store',
      may: /^web\/(canvas\/(store|geometry|kinds\/types\.ts)|chat|inputs|state|api)|^worker\/contract\//,
      because: 'the state of a canvas does not depend on what draws or changes it',
    },
    {
      from: 'web/builder',
      may: /^web\/(builder|canvas|chat|inputs|ui|state|api)\/|^worker\/contract\//,
      because: 'the builder serves every kind of flow, so it depends on no area',
    },
    {
      from: 'web/widget',
      may: /^web\/(widget|chat\/(events|conversation|start-form|attachments|approvals\/(approval-text|follow-waiting)|speech\/voice)\.ts|ui\/theme\/tokens\.ts)|^worker\/contract\//,
      packages: /^(preact|react)/,
      because: 'it is loaded by pages of other sites: a few kilobytes, without the product’s own frame',
    },
    {
      from: 'worker/engine',
      may: /^worker\/(engine|contract|ports|text|inputs)\/|^worker\/[^/]+\/types\.ts$|^worker\/nodes\/(index|registry)\.ts$/,
      packages: /^(?!hono|drizzle-orm|@libsql)/,
      because: 'the engine reaches nodes through the registry and the outside through ports',
    },
    ...['text', 'inputs'].map((room) => ({
      from: `worker/${room}`,
      may: /^worker\/(text|inputs|contract)\//,
      packages: /^(htmlparser2|json5|yaml)$/,
      because: 'everything that a flow runs may use it, so it is pure and depends on nothing above it',
    })),
    {
      from: 'worker/frameworks',
      may: /^worker\/(frameworks|text|contract)\//,
      packages: /^yaml$/,
      because: 'a design of another framework is files in and a design out, with no clock, network or database',
    },
    {
      from: 'worker/providers',
      may: /^worker\/(providers|text|inputs|contract|ports)\//,
      packages: /^@ai-sdk\/provider$/,
      because: 'models, tools and knowledge all call providers, so it depends on none of them',
    },
    ...['nodes', 'llm', 'models', 'tools', 'knowledge'].map((room) => ({
      from: `worker/${room}`,
      may: /^worker\/(nodes|llm|models|tools|knowledge|providers|text|inputs|contract|engine|ports)\//,
      packages: /^(?!hono|drizzle-orm|@libsql)/,
      because: 'nodes, models and tools get their ports passed in',
    })),
    {
      from: 'worker/components',
      may: /^(db|worker\/(components|contract|engine|nodes|models|knowledge|providers|text|inputs|oauth|ports))\/|^worker\/services\.ts$/,
      packages: /^(?!hono|@libsql)/,
      because: 'runs and areas both open components, so components depend on neither',
    },
    {
      from: 'worker/oauth',
      may: /^(db|worker\/(oauth|contract|ports))\/|^worker\/services\.ts$/,
      packages: /^(?!hono|@libsql)/,
      because: 'components and areas both use tokens, so tokens depend on neither',
    },
    {
      from: 'worker/emails',
      may: /^(db|worker\/(emails|contract|http|ports))\/|^worker\/services\.ts$/,
      packages: /^(?!@libsql)/,
      because: 'areas send emails about what they change, so what sends them depends on none',
    },
    {
      from: 'worker/areas/triggers',
      may: /^(?!worker\/areas\/predictions\/)/,
      because: 'a run that a trigger starts is answered by worker/runs, as one that a person starts',
    },
    {
      from: 'worker/runs',
      may: /^(db|worker\/(runs|components|jobs|oauth|contract|engine|nodes|llm|models|tools|knowledge|providers|text|inputs|ports))\/|^worker\/services\.ts$/,
      packages: /^(?!hono|@libsql)/,
      because: 'areas import the domain of a run, never the other way',
    },
    {
      from: 'worker/templates',
      may: /^worker\/(templates|contract)\//,
      packages: /^$/,
      because: 'a template is a drawing, which areas offer',
    },
    {
      from: 'worker/jobs',
      may: /^worker\/(jobs|contract)\/|^worker\/services\.ts$|^db\/callers\.ts$/,
      because: 'jobs do not depend on what they run',
    },
    {
      from: 'db',
      may: /^(db|worker\/contract)\/|^migrations\/meta\/_journal\.json$/,
      because: 'the database imports the contract and the list of migrations at most',
    },
  ]

  it.each(arrows)('$from imports only what it may, since $because', ({ from, may, packages }) => {
    const wrong = in_(from).flatMap((source) => [
      ...source.files.filter((file) => !may.test(file)).map((file) => `${source.path} -> ${file}`),
      ...source.packages.filter((name) => packages && !packages.test(name)).map((name) => `${source.path} -> ${name}`),
    ])
    expect(wrong).toEqual([])
  })

  it('types of flows are named by their kinds alone', () => {
    const isKind =
      /^worker\/(contract\/flow\/(flow-types\.ts|kinds\/)|runs\/compilers\.ts|templates\/chatflows\/)|^web\/canvas\/kinds\//
    const ofKind = new RegExp(`\\b(${FLOW_TYPES.join('|')})\\b|'(AgentflowV2|Chatflow)'|/agentcanvas|[\`"']/canvas\\b`)
    const isOther = ({ path }: { path: string }) =>
      !isKind.test(path) && !/^(e2e|web\/routes)\/|\/testing\/|routeTree/.test(path)
    const named = code.filter((source) => isOther(source) && ofKind.test(withoutComments(source.text)))
    expect(named.map(({ path }) => path)).toEqual([])
  })

  it('code for one kind of flow is in its folder of web/canvas/kinds', () => {
    const isShared = ({ path }: { path: string }) =>
      /^web\/(canvas|builder)\//.test(path) && !/^web\/canvas\/(kinds\/(index\.ts|[^/]+\/)|testing\/)/.test(path)
    const ofKind =
      /[a-z]Agentflow'|'AGENTFLOW'|kinds\/(?!(types|index|facts)\.ts)|AGENT_FLOWS|\b(START|LOOP|ITERATION|HUMAN_INPUT)\b/
    expect(code.filter((source) => isShared(source) && ofKind.test(source.text)).map(({ path }) => path)).toEqual([])
  })

  it('the names of agent-flow nodes stand in the folder of their kind, in tests too', () => {
    const generic = /^(worker\/contract|web\/canvas|web\/builder)\/(?!.*kinds\/agentflow\/)/
    const found = sources.filter(({ path, text }) => generic.test(path) && /Agentflow['"`]/.test(text))
    expect(found.map(({ path }) => path)).toEqual([])
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

  it('code for Node stays out of the product', () => {
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
  it('every area of the worker is mounted', () => {
    const folders = readdirSync(join(root, 'worker/areas'), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    )
    const mounted = code.find((source) => source.path === 'worker/areas/index.ts')?.files
    const missing = folders
      .map(({ name }) => `worker/areas/${name}/routes.ts`)
      .filter((file) => !mounted?.includes(file))
    expect(missing).toEqual([])
  })

  const knowledge = ['loaders', 'readers', 'rerankers', 'splitters', 'vector-stores']
  it.each(['worker/models', 'worker/tools', 'worker/nodes', ...knowledge.map((kind) => `worker/knowledge/${kind}`)])(
    'every file of %s is in its index or used elsewhere',
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
})

it('what `npm start` serves with reaches no builder', () => {
  const reached = reach(code, ['worker/local/start.ts'])
  const builders = code
    .filter(
      ({ path, packages }) => reached.has(path) && packages.some((name) => /^(vite|rolldown|esbuild)$/.test(name)),
    )
    .map(({ path }) => path)
  expect(builders).toEqual([])
})

describe('dead code', () => {
  /** Files that a person, a platform or a build starts, without tests. */
  const ENTRIES =
    /^(web\/(main\.tsx|first-paint\/boot\.ts|widget\/(widget\.ts|react\.tsx))|web\/routes\/.*|worker\/index\.ts|db\/schema\/index\.ts|db\/local\/record-migrations\.ts|worker\/local\/(start|dev|fuzz|build\/build-program|migrate-remote|rotate-keys|backup\/(backup|restore)|move\/move-command|doctor\/doctor|paths|guest-modules|browser-bundle|first-paint|widget-bundle|(security|templates)\/write-docs|supply-chain\/write-sbom)\.ts|worker\/ports\/sandbox\/wasm\/add-fuel\.ts)$/

  /** Files that only tests use, or folders of them, and the reasons. */
  const ONLY_IN_TESTS: Record<string, string> = {
    'worker/local/build-for-tests.ts': 'vitest.config.ts starts it before the worker tests',
    'worker/frameworks': 'the check of recordings reads their designs with it, until people can import designs',
    'worker/contract/frameworks': 'the words and reports of that reader',
  }
  const product = code.filter(({ path }) => !path.startsWith('e2e/') && !path.endsWith('.d.ts'))

  it('finds no file that no entry of the product reaches', () => {
    const entries = product.filter(({ path }) => ENTRIES.test(path)).map(({ path }) => path)
    const reached = reach(product, entries)
    const dead = product.map(({ path }) => path).filter((path) => !reached.has(path))
    const isOf = (path: string) => (name: string) => path === name || path.startsWith(`${name}/`)
    const explained = Object.keys(ONLY_IN_TESTS)
    expect(dead.filter((path) => !explained.some(isOf(path)))).toEqual([])
    expect(explained.filter((name) => !dead.some((path) => isOf(path)(name)))).toEqual([])
  })

  /** Exports that are read by name: pages by the router, tables by drizzle, the worker by its platform, the widget by other sites. */
  const READ_BY_NAME = /^(web\/(routes|widget)\/|worker\/index\.ts|db\/schema\/)|^[\w.]+ | Default$|\.d\.ts /
  const withConfigs = [
    ...sources,
    ...readdirSync(root)
      .filter((name) => name.endsWith('.config.ts'))
      .map((name) => readSource(join(root, name))),
  ]
  const isUnexplained = (name: string) => !READ_BY_NAME.test(name)

  it('finds no export that no other file imports', () => {
    const unused = findUnusedExports(withConfigs).filter((name) => !isTest(name.split(' ')[0] as string))
    expect(unused.filter(isUnexplained)).toEqual([])
  })

  it('finds the known exports that only tests import, and no other', () => {
    const isForTests = (path: string) => isTest(path) || /^(e2e|web\/workshop)\/|\.stories\.tsx$/.test(path)
    const unused = findUnusedExports(withConfigs.filter(({ path }) => !isForTests(path)))
    expect(unused.filter(isUnexplained).sort()).toEqual(Object.values(ONLY_FOR_TESTS).flat().sort())
  })
})

describe('import circles', () => {
  /** Circles that only types close, each as its sorted files. One that was opened leaves the list. */
  const TYPES = ['worker/engine/loops.ts worker/engine/plan.ts']
  const circlesOf = (arrows: (source: SourceFile) => string[]) =>
    findCircles(code, arrows).map((circle) => circle.join(' '))

  it('finds no circle of values', () => {
    expect(circlesOf(({ values }) => values)).toEqual([])
  })

  it('finds no circle of values between the rooms of the canvas', () => {
    const roomOf = (path: string) => /^web\/canvas\/([^/]+)\//.exec(path)?.[1]
    expect(findRoomCircles(code, roomOf)).toEqual([])
  })

  it('finds no circle of values between rooms, nor between areas', () => {
    const roomOf = (path: string) =>
      /^(?:web|worker)\/(?:areas\/[^/]+|[^/]+)(?=\/)/.exec(path)?.[0] ?? /^(?:db|e2e)(?=\/)/.exec(path)?.[0]
    expect(findRoomCircles(code, roomOf)).toEqual([])
  })

  it('finds the known circles of types, and no other', () => {
    expect(circlesOf(({ files }) => files)).toEqual(TYPES)
  })
})

describe('names and sizes', () => {
  /** Verbs that are not also nouns: a file is named after its content. */
  const VERBS =
    /^(admit|answer|ask|begin|build|claim|close|create|delete|dispatch|do|end|find|get|give|go|hold|keep|load|make|move|open|parse|pick|predict|put|read|recover|resume|retry|save|send|serve|set|settle|stop|take|tell|update|walk|write)\.tsx?$/
  /** Those that nobody has renamed yet. */
  const NAMED_BY_VERB: string[] = [
    'worker/areas/generator/build.ts',
    'worker/areas/triggers/dispatch.ts',
    'worker/contract/flow/document/create.ts',
    'worker/contract/flow/document/parse.ts',
    'worker/runs/recovery/recover.ts',
    'worker/runs/resume.ts',
  ]

  it('finds no file that is named by a bare verb', () => {
    const found = code.map(({ path }) => path).filter((path) => VERBS.test(path.replace(/^.*\//, '')))
    expect(found.sort()).toEqual(NAMED_BY_VERB)
  })

  it('finds no folder with more than 30 source files', () => {
    const sizes = Map.groupBy(code, ({ path }) => path.replace(/\/[^/]*$/, ''))
    const found = [...sizes].map(([folder, files]) => [folder, files.length] as const)
    expect(found.filter(([, count]) => count > 30)).toEqual([])
  })

  it('finds no file longer than 400 lines', () => {
    const found = code.filter(({ text }) => text.split('\n').length > 400).map(({ path }) => path)
    expect(found).toEqual([])
  })

  it('finds no test longer than 700 lines', () => {
    expect(sources.filter(({ text }) => text.split('\n').length > 700).map(({ path }) => path)).toEqual([])
  })

  it('finds no function longer than 80 lines', () => {
    const found = code
      .map((source) => [source.path, longestFunction(source)] as const)
      .filter(([, lines]) => lines > 80)
    expect(found).toEqual([])
  })
})

it('hex colors occur in the tokens only', () => {
  const hex = /(?<![\w&])#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})\b(?!\/)/i
  const page = (path: string) =>
    path.startsWith('web/') && !['web/ui/theme/tokens.ts', 'web/canvas/kinds/agentflow/testing/flows.ts'].includes(path)
  expect(code.filter(({ path, text }) => page(path) && hex.test(text)).map(({ path }) => path)).toEqual([])
})

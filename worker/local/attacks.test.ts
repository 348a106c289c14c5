// @defends configuration-becomes-code
// @defends tool-starts-process
// @defends calls-private-network
// @defends flow-runs-place
// @defends failed-query-reveals
// @defends stored-text-becomes
// @defends text-becomes-sql
/** Rules for the source code itself, and for the tests that docs/security.md names. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { exists, isTest, reach, readSources } from './import-graph.ts'
import { root } from './paths.ts'

const sources = readSources().filter(({ path }) => !isTest(path))
const pages = sources.map(({ path }) => path).filter((path) => path.startsWith('web/routes/'))
const inProduct = reach(sources, ['web/main.tsx', 'worker/index.ts', ...pages])
const shipped = sources.filter(({ path }) => inProduct.has(path))
const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
const holding = (pattern: RegExp, room = '') =>
  shipped
    .filter(({ path, text }) => path.startsWith(room) && pattern.test(withoutComments(text)))
    .map(({ path }) => path)

it('evaluates no text as code outside the sandbox', () => {
  expect(holding(/\beval\s*\(|\bFunction\s*\(|\.constructor\s*\(|setTimeout\(\s*['"`]/)).toEqual([])
})

it('starts no process and reads no disk', () => {
  const host = /^(node:)?(child_process|cluster|fs|module|net|os|process|tls|vm|worker_threads)(\/|$)/
  expect(shipped.filter(({ packages }) => packages.some((name) => host.test(name))).map(({ path }) => path)).toEqual([])
})

/** Modules for custom functions run in the interpreter, which serves one run. */
const isOfTheWorker = (path: string) => !path.startsWith('worker/ports/sandbox/modules/')

it('calls the outside through the egress port only', () => {
  const global = /(\bawait|\breturn|=>|[=(,:?])\s*fetch\s*[(,)\n]|\bglobalThis\.fetch\b/
  // Two texts that run inside the interpreter: its prelude and an example of custom code.
  const guests = ['worker/ports/sandbox/prelude.ts', 'worker/tools/openapi/openapi-toolkit.ts']
  expect(holding(global, 'worker/').filter(isOfTheWorker)).toEqual(['worker/ports/index.ts', ...guests])
})

it('reaches only the database and the bucket beside it, whose addresses the operator sets', () => {
  const own = /\bnetwork\.fetch\(/
  expect(holding(own).filter((path) => path !== 'worker/ports/index.ts')).toEqual([
    // Counts what passes to the database.
    'worker/ports/metrics/metrics.ts',
    'worker/ports/s3/requests.ts',
    'db/pipeline.ts',
  ])
})

it('builds no SQL from text', () => {
  expect(holding(/\bsql\s*\.\s*raw\b/)).toEqual([])
})

it('inserts no text as HTML', () => {
  expect(
    holding(/dangerouslySetInnerHTML|\b(inner|outer)HTML\b|insertAdjacentHTML|document\.write|rehype-raw/, 'web/'),
  ).toEqual([])
})

it('logs only texts, because the error of a failed query contains its parameters', () => {
  // Its test shows that it holds nothing that was sent.
  const isTested = (path: string) => path === 'worker/http/request-log.ts'
  const lines = shipped.flatMap(({ path, text }) =>
    path.startsWith('worker/') && !isTested(path)
      ? [...withoutComments(text).matchAll(/console\.\w+\(.*/g)].map(([line]) => line)
      : [],
  )
  expect(lines.length).toBeGreaterThan(4)
  expect(lines.filter((line) => !/error(Message|Report)\(/.test(line))).toEqual([])
})

it('keeps only the state between requests that docs/architecture/runs.md lists', () => {
  const remembering = /^(export )?(let \w+|const \w+(: [^=]+)? = (new (Map|Set|WeakMap|WeakSet)(<.*>)?\(\)|\[\])$)/m
  expect(holding(remembering, 'worker/').filter(isOfTheWorker).sort()).toEqual([
    // A random name of the isolate.
    'worker/areas/health/metrics.ts',
    // Templates, which are part of the build.
    'worker/areas/marketplaces/built-in.ts',
    // Answers that are being spoken, gone with the last sound.
    'worker/areas/speech/speaking.ts',
    'worker/areas/triggers/webhook/find-webhook.ts',
    // A set that stays empty.
    'worker/contract/flow/document/serialize.ts',
    // Numbers, for a second.
    'worker/http/failures.ts',
    // A guess at who calls, which the rows of the same read must confirm.
    'worker/http/known-actors.ts',
    // The worker itself.
    'worker/index.ts',
    // Ids of deliveries and runs, and times.
    'worker/jobs/places.ts',
    // When a site may be asked again.
    'worker/knowledge/loaders/web/crawl-rate.ts',
    // Writers of requests, which know no address and no credential.
    'worker/models/chat-openai-custom.ts',
    // The definitions of components, which are part of the build.
    'worker/nodes/catalogue.ts',
    // Readers by their response, gone with it.
    'worker/ports/limit-body.ts',
    'worker/runs/context/flow-cache.ts',
    // A time.
    'worker/runs/recovery/cancellations.ts',
    // Ids and leases of active runs.
    'worker/runs/recovery/renewals.ts',
    'worker/runs/running.ts',
  ])
})

it('finds every test that docs/security.md names', () => {
  const text = readFileSync(join(root, 'docs/security.md'), 'utf8')
  const named = [...text.matchAll(/[\w./-]+\.(?:worker-test|test|spec)\.tsx?/g)].map(([path]) => path)
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((path) => !exists(path))).toEqual([])
})

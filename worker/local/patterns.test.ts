// @defends one-text-keeps
/** Measures how the time of every regular expression grows with hostile texts. */
import fc from 'fast-check'
import { parseSync, Visitor } from 'vite'
import { describe, expect, it } from 'vitest'
import { isTest, readSources, type SourceFile } from './import-graph.ts'
import { type Attack, ENDS, findRunaway, hostile } from './testing/growth.ts'

interface Pattern {
  path: string
  /** As written in the source. */
  text: string
  /** Undefined for expressions that are built at run time. */
  pattern?: RegExp
}

function patternsOf({ path, text }: SourceFile): Pattern[] {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`)
  const found: Pattern[] = []
  const made = (node: { start: number; end: number; callee: { type: string; name?: string } }) => {
    if (node.callee.name === 'RegExp') found.push({ path, text: text.slice(node.start, node.end) })
  }
  new Visitor({
    NewExpression: (node) => made(node as never),
    CallExpression: (node) => made(node as never),
    Literal(node) {
      if (!('regex' in node)) return
      const { pattern, flags } = node.regex
      found.push({ path, text: text.slice(node.start, node.end), pattern: new RegExp(pattern, flags) })
    },
  }).visit(program)
  return found
}

const patterns = readSources()
  .filter(({ path }) => !isTest(path) && !path.startsWith('e2e/'))
  .flatMap(patternsOf)

/** Without `*`, `+` and `{n,}` each match is bounded, so all of them together are linear. */
const isBounded = ({ source }: RegExp) => !/[*+]|,\}/.test(source)
const literals = patterns.flatMap((each) =>
  each.pattern && !isBounded(each.pattern) ? [{ ...each, pattern: each.pattern }] : [],
)

/** Matching texts, with a part of each repeated. */
function attacksOf(pattern: RegExp): Attack[] {
  const samples = samplesOf(pattern)
  return [...samples.flatMap(partsOf), ...samples.slice(0, 1).flatMap(beginningsOf)]
}

/** The start of a match, followed by something that cannot end it. */
function beginningsOf(sample: string): Attack[] {
  return Array.from(sample.slice(0, 12)).flatMap((_, at) =>
    [' ', '\n', 'a', '1', '"', '/'].flatMap((piece) =>
      ENDS.map((end) => ({ start: sample.slice(0, at + 1), piece, end })),
    ),
  )
}

function samplesOf({ source, flags }: RegExp): string[] {
  const sampled = fc.stringMatching(new RegExp(withoutAssertions(source), flags.replace(/[dgiy]/g, '')), {
    size: 'xsmall',
  })
  return fc.sample(sampled, { numRuns: 3, seed: 1 })
}

/** Samples cannot be generated for look-around, word boundaries and back references. */
function withoutAssertions(source: string): string {
  const bare = source.replace(/\\[bB1-9]/g, '')
  const at = bare.search(/\(\?<?[=!]/)
  return at < 0 ? bare : withoutAssertions(bare.slice(0, at) + bare.slice(endOfGroup(bare, at)))
}

function endOfGroup(source: string, from: number): number {
  let depth = 0
  for (let at = from; at < source.length; at++) {
    if (source[at] === '\\') at += 1
    else if (source[at] === '(') depth += 1
    else if (source[at] === ')' && --depth === 0) return at + 1
  }
  throw new Error(`A group of ${source} has no end`)
}

const LENGTHS = [1, 2, 4, 8, 40]

function partsOf(sample: string): Attack[] {
  return Array.from(sample.slice(0, 20)).flatMap((_, from) =>
    LENGTHS.flatMap((length) =>
      ENDS.map((end) => ({ start: sample.slice(0, from), piece: sample.slice(from, from + length), end })),
    ),
  )
}

/** Expressions that are not linear or not known before run time, and the reasons why nobody can make them slow. */
const SAFE: Record<string, string> = {
  "web/inputs/code-check.ts: /token '?(.)'?, .*is not valid/":
    'the message of a JSON parser, which quotes a few characters',
  'web/inputs/code-check.ts: / (in JSON )?at (position|line) .*$/': 'the message of a JSON parser',
  'worker/models/practice/choose-tool.ts: /[-+(]*\\d[\\d\\s.,]*(?:[-+*/^%×÷x()]+\\s*[\\d.(]+[\\d\\s.)]*)+/':
    'sees 1,000 characters of a question',
  'worker/models/practice/choose-tool.ts: /[\\s.,]+$/': 'sees what the expression found in 1,000 characters',
  'worker/contract/flow/params/params.ts: new RegExp(pattern)':
    'has no repeated groups, no back references and three repetitions, and sees 256 characters',
  "worker/contract/triggers/cron.ts: new RegExp(`^${part(names)}(?:,${part(names)})*$`, 'i')":
    'names of months and weekdays; `parseCron` is grown in parsers.test.ts',
  "worker/local/assets/headers-file.ts: new RegExp(`^${source}$`, 's')": 'made of our own _headers file',
  'worker/local/assets/headers-file.ts: /^\\s+([\\w-]+)\\s*:\\s*(.+?)\\s*$/': 'reads our own _headers file',
  'worker/local/import-graph.ts: /(?:\\bfrom\\s*|\\bimport\\s*\\(?\\s*)([\'"])([.#@\\w][\\w@./#:?-]*)\\1/g':
    'reads our own source',
  'worker/local/import-graph.ts: /\\/\\*[\\s\\S]*?\\*\\//g': 'reads our own source',
  'worker/local/import-graph.ts: /^\\s*\\/\\/.*$/gm': 'reads our own source',
  'worker/local/network.ts: /-----BEGIN CERTIFICATE-----[\\s\\S]+?-----END CERTIFICATE-----/g':
    "reads the system's certificates",
}
const nameOf = ({ path, text }: Pattern) => `${path}: ${text}`
const grown = literals.filter((each) => !(nameOf(each) in SAFE))

describe('regular expressions', () => {
  it.each(grown)('takes linear time to match $text of $path', async ({ pattern }) => {
    const everywhere = new RegExp(pattern.source, [...new Set([...pattern.flags, 'g'])].join(''))
    const attacks = [...attacksOf(pattern), ...hostile('', '1')]
    expect(await findRunaway((text) => text.replace(everywhere, ''), attacks)).toBeUndefined()
  })

  it('has a reason for every expression built at run time', () => {
    const made = patterns.filter(({ pattern }) => !pattern).map(nameOf)
    expect(made.length).toBeGreaterThan(0)
    expect(made.filter((name) => !(name in SAFE))).toEqual([])
  })

  it('has an expression for every reason', () => {
    const names = new Set(patterns.map(nameOf))
    expect(Object.keys(SAFE).filter((name) => !names.has(name))).toEqual([])
  })
})

it.each([
  ['quadratic', /\s+$/g],
  ['exponential', /^(a+)+$/g],
])('finds an expression that is %s', async (_, pattern) => {
  expect(await findRunaway((text) => text.replace(pattern, ''), hostile(''), 4096)).toContain('per doubling')
})

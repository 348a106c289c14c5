import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseSync, Visitor } from 'vite'
import { describe, expect, it } from 'vitest'
import { isTest, readSources, type SourceFile } from './import-graph.ts'
import { root } from './paths.ts'

/** Words of a private dialect, with the field's term. `names` is matched with names in code and with file names. */
const REFUSED: { word: string; use: string; names: RegExp; prose?: RegExp; except?: RegExp }[] = [
  {
    word: 'shelf',
    use: 'search index',
    names: /shel(f|ves)(?![a-z])/i,
    prose: /\b(shelf|shelves)\b/i,
    // The stored name of the embedded vector store.
    except: /^libsqlShelf$/,
  },
  {
    word: 'letter, as mail',
    use: 'email',
    names:
      /(send|queue|take|withdraw|due)Letters?|Letter(Kind|Form|Link|Token|Text|Names)|letter(s?-calls|Tokens?|Link)/,
    prose: /\b(send|sends|sent|queues?) (a|the) letter\b|\bletters? (to|of) (a|the) (person|account|address)/i,
  },
  { word: 'mailbox, as a folder', use: 'outbox', names: /mailbox(Folder|Note)|startMailbox/i },
  { word: 'stranger', use: 'anonymous caller, outsider or visitor', names: /stranger/i, prose: /\bstrangers?\b/i },
  { word: 'hand, as interactions', use: 'interactions', names: /^(Hand\.tsx|hand\.css)$/ },
  { word: 'refusals, as errors', use: 'plain-text errors', names: /plain-?refusals/i },
  { word: 'answerer', use: 'responder', names: /answerer/i },
  { word: 'noSuchX', use: 'xNotFound', names: /^noSuch[A-Z]/ },
  { word: 'unaudited', use: 'auditExempt', names: /^unaudited$/ },
  { word: 'QUIET_MS', use: 'IDLE_MS', names: /^QUIET_MS$/ },
  { word: 'patience', use: 'a time to wait, to live or to replace', names: /patience/i },
  {
    word: 'kept statement, file or focus',
    use: 'prepared, pending or restored',
    names: /^(use-?)?kept-?(statement|files|focus)/i,
  },
  {
    word: 'politeness, cutting, gathering',
    use: 'crawl rate, splitting, limits',
    names: /^(politeness|cutting|gathering)(\.|$)/,
  },
]

const sources = readSources().filter(({ path }) => !path.endsWith('words.test.ts'))
const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md') && !name.startsWith('releases'))
  .map((name) => `docs/${name}`)
const pages = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'README.md', 'SECURITY.md', 'UPGRADING.md', ...docs]

/** Comments may quote the stored names of SQL, which migrations fixed before the words were refused. */
const STORED = /`?document_shelves\w*`?|`?shelf_\w*`?|'shelf%'|"shelf"|'libsqlShelf'|`libsqlShelf`/g

type Program = ReturnType<typeof parseSync>['program']

/** Returns each name that a file declares on the level of the module. */
const declaredNames = ({ path, text }: Pick<SourceFile, 'path' | 'text'>): string[] =>
  parseSync(path, text).program.body.flatMap(namesOf)

function namesOf(statement: Program['body'][number]): string[] {
  const isExport = statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration'
  const declaration = isExport ? statement.declaration : statement
  if (declaration?.type === 'VariableDeclaration')
    return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
  const id = declaration && 'id' in declaration ? declaration.id : null
  return id?.type === 'Identifier' ? [id.name] : []
}

const names = new Map(sources.map((source) => [source.path, declaredNames(source)]))

const proseOf = (text: string): string =>
  (text.match(/\/\*[\s\S]*?\*\/|\/\/.*$/gm) ?? []).join('\n').replace(STORED, '')

const isRefused = ({ names, except }: (typeof REFUSED)[number], name: string) => names.test(name) && !except?.test(name)

it.each(REFUSED)('says $use in names, not $word', (refused) => {
  const found = [...names].flatMap(([path, declared]) => [
    ...path.split('/').filter((part) => isRefused(refused, part)),
    ...declared.filter((name) => isRefused(refused, name)).map((name) => `${path}: ${name}`),
  ])
  expect(found).toEqual([])
})

it.each(REFUSED.filter(({ prose }) => prose))('says $use in comments and pages, not $word', ({ prose }) => {
  const inComments = sources.filter(({ text }) => prose?.test(proseOf(text))).map(({ path }) => path)
  const inPages = pages.filter((page) => prose?.test(readFileSync(join(root, page), 'utf8').replace(STORED, '')))
  expect([...inComments, ...inPages]).toEqual([])
})

it('says what a thing is: no comment begins with "Of"', () => {
  expect(sources.filter(({ text }) => /\/\*\* Of\b/.test(text)).map(({ path }) => path)).toEqual([])
})

describe('the comment of an export', () => {
  /** A comment that ends right above an export, and begins with a fragment in place of a verb or a noun. */
  const FRAGMENT =
    /\/\*\*\s+(?:\* )?(What|Who|Whose|Whom|Whether|How|Where|When|While|Which|Why|That|If|As|At|By|For|From|In|On|To|Under|With|Without)\b(?:(?!\*\/)[\s\S])*\*\/\nexport\b/

  it('says what a function does and what a value is, and begins with no fragment such as "What" or "How"', () => {
    expect(sources.filter(({ text }) => FRAGMENT.test(text)).map(({ path }) => path)).toEqual([])
  })

  it.each([
    ['/** What a page costs. */\nexport const COST = 1', true],
    ['/**\n * By name: all\n * of them.\n */\nexport const BY_NAME = {}', true],
    ['/** Returns what a page costs. */\nexport const costOf = () => 1', false],
    ['/** What this module does. */\nimport a from "a"\n/** Returns it. */\nexport const b = a', false],
  ])('is told by its opening: %j', (text, isFragment) => {
    expect(FRAGMENT.test(text)).toBe(isFragment)
  })
})

it.each([
  ['shelf-tables.ts', 'shelf'],
  ['openShelf', 'shelf'],
  ['isStranger', 'stranger'],
  ['queueLetter', 'letter, as mail'],
  ['noSuchStore', 'noSuchX'],
  ['QUIET_MS', 'QUIET_MS'],
  ['PATIENCE_MS', 'patience'],
])('refuses the name %s', (name, word) => {
  expect(REFUSED.filter((refused) => isRefused(refused, basename(name))).map((each) => each.word)).toEqual([word])
})

it('takes the letters of a text, and shells, for what they are', () => {
  const names = ['letterSpacing', 'lettersOf', 'isLetter', 'SHELLS', 'libsqlShelf']
  expect(names.filter((name) => REFUSED.some((refused) => isRefused(refused, name)))).toEqual([])
})

describe('names of a module', () => {
  /** Participles, pronouns and bare verbs, which say of nothing what it is: `found` what, `sent` by whom? */
  const VAGUE =
    /^(answered|asked|chosen|counted|drawn|found|given|held|kept|known|last|least|nothing|own|place|said|sent|shown|side|spoken|take|taken|walk|wanted|who|written)$/i

  it('say what they are of', () => {
    const found = [...names]
      .filter(([path]) => !isTest(path))
      .flatMap(([path, declared]) => declared.filter((name) => VAGUE.test(name)).map((name) => `${path}: ${name}`))
    expect(found.sort()).toEqual([])
  })

  it.each([
    ['export const asked = 1', ['asked']],
    ['interface Sent {}', ['Sent']],
    ['export default function take() {}', ['take']],
    ['export async function* walk() {}', ['walk']],
    ['function load() { const said = 1; return said }', ['load']],
    ['const { found } = search()', []],
  ])('are found in %s', (text, found) => {
    expect(declaredNames({ path: 'a.ts', text })).toEqual(found)
  })
})

/** Narrow the actor whom a route's access let in; they throw for a route that declares another access only. */
const NARROWING = ['memberOf', 'directoryOf', 'userOf']

/** Returns the functions of a module called `xOf` that wait or throw. */
function surprisingDerivations({ path, text }: Pick<SourceFile, 'path' | 'text'>): string[] {
  const { program } = parseSync(path, text)
  return program.body.flatMap((statement) => {
    const [name = ''] = namesOf(statement)
    return name.endsWith('Of') && isSurprising({ ...program, body: [statement] }) ? [name] : []
  })
}

/** @param program a single function */
function isSurprising(program: Program): boolean {
  const functions: { async: boolean; returnType?: object | null }[] = []
  let isThrowing = false
  new Visitor({
    FunctionDeclaration: (node) => functions.push(node),
    ArrowFunctionExpression: (node) => functions.push(node),
    ThrowStatement: () => {
      isThrowing = true
    },
  }).visit(program)
  const [outer] = functions
  return isThrowing || outer?.async || JSON.stringify(outer?.returnType ?? '').includes('"Promise"')
}

describe('a function called xOf', () => {
  it('derives a value: what reads, opens or requires something begins with a verb', () => {
    const found = sources
      .filter(({ path }) => !isTest(path) && !/\/testing\/|^e2e\//.test(path))
      .filter(({ path }) => names.get(path)?.some((name) => name.endsWith('Of')))
      .flatMap((source) => surprisingDerivations(source).map((name) => `${source.path}: ${name}`))
    expect(found.filter((each) => !NARROWING.some((name) => each === `worker/http/route.ts: ${name}`))).toEqual([])
  })

  it.each([
    ['const keyOf = ({ key }) => key', []],
    ['export async function keyOf() {}', ['keyOf']],
    ['const keyOf = (): Promise<string> => read()', ['keyOf']],
    ['function keyOf(key) { if (!key) throw new Error() }', ['keyOf']],
  ])('is told by what it does: %s', (text, found) => {
    expect(surprisingDerivations({ path: 'a.ts', text })).toEqual(found)
  })
})

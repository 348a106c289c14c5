import { expect, test } from 'vitest'
import { loaders } from '../knowledge/loaders/index.ts'
import { componentDefinitions, credentialDefinitions } from './catalogue.ts'

/** Names of products and of things that are written with a capital inside a sentence. */
const PROPER_NOUNS = new Set(
  'Base64 Custom Engine Generative Heddle Lines Neon OpenAI PlanetScale Redis Schema Search Vector'.split(' '),
)
const MISSPELT = /\b(Api|Id|Url|Pdf|Csv|Json|Html|Http|Javascript|Github)s?\b/
const REFUSED =
  /Empty:|of yours|\b(is|are) asked for\b|[Hh]ands? on\b|[Ww]hat (was|is) found|Kept for files|not used here/

type Texts = { path: string; label?: string; description?: string; hint?: string; placeholder?: string }

/** Returns the texts of everything inside a definition: inputs, options, outputs, columns and fields of a credential. */
function textsInside(owner: object, path: string): Texts[] {
  return Object.entries(owner).flatMap(([key, value]) => {
    if (Array.isArray(value)) return value.filter(isObject).flatMap((each) => textsOf(each, `${path}.${key}`))
    return key === 'credential' && isObject(value) ? textsOf(value, `${path}.${key}`) : []
  })
}

function textsOf(each: Record<string, unknown>, path: string): Texts[] {
  const name = String(each.name ?? each.field ?? each.value)
  const label = String(each.label ?? each.headerName ?? '')
  // An option without a wording of its own shows its value, such as the id of a model.
  const shown = label.toLowerCase() === name.toLowerCase() ? '' : label
  return [{ ...each, path: `${path}.${name}`, label: shown }, ...textsInside(each, `${path}.${name}`)]
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const definitions = [
  ...componentDefinitions(),
  ...loaders.map(({ definition }) => definition),
  ...credentialDefinitions(),
]

/** The label of a node or a credential is a product's name, and the output that is the node itself bears it. */
const inside = definitions.flatMap((definition) =>
  textsInside(definition, definition.name).filter(({ label }) => label !== definition.label),
)

/** Returns the words that are not written as in the middle of a sentence. */
function wrongWords(label: string): string[] {
  const words = label.match(/[\p{L}\p{N}][\p{L}\p{N}-]*/gu) ?? []
  const inSentence = (word: string) => /^[\p{Ll}\p{N}]|^[\p{Lu}\d-]+s?$/u.test(word) || PROPER_NOUNS.has(word)
  return [...words.filter((word) => MISSPELT.test(word)), ...words.slice(1).filter((word) => !inSentence(word))]
}

test('labels of inputs, options, outputs and credential fields are in sentence case', () => {
  expect(inside.length).toBeGreaterThan(1000)
  const wrong = inside.flatMap(({ path, label = '' }) => wrongWords(label).map((word) => `${path}: ${label} (${word})`))
  expect(wrong).toEqual([])
})

test('the list of proper nouns holds only those that a label uses', () => {
  const used = new Set(inside.flatMap(({ label = '' }) => label.split(/[^\p{L}\p{N}]+/u).slice(1)))
  expect([...PROPER_NOUNS].filter((noun) => !used.has(noun))).toEqual([])
})

test('descriptions of nodes and inputs say what happens, without phrases that stand for a verb', () => {
  const all: Pick<Texts, 'description' | 'hint'>[] = [...definitions, ...inside]
  const texts = all.flatMap(({ description = '', hint = '' }) => [description, hint])
  expect(texts.filter((text) => REFUSED.test(text))).toEqual([])
})

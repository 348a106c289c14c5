/** Turns values of YAML into plain ones, and says what ADK takes for another type or cannot take. */

import { truncate } from '#contract/data/format.ts'
import type { SettingRule } from '#contract/frameworks/adk.ts'
import type { YamlPair, YamlScalar, YamlValue } from '../python-yaml.ts'
import type { Json, Setting } from './design.ts'
import type { FileNotes } from './file-notes.ts'

const MAX_SHOWN = 80
/** Returns a text of the design for a sentence: short, without line ends. */
export const excerpt = (text: string): string => truncate(text, MAX_SHOWN).replace(/\s+/g, ' ')

/** A key's value with the path that reports name it by. */
export interface Keyed {
  path: string
  pair: YamlPair
}

/** Returns the pairs of a map by path; undefined, after a problem, for anything but a map with texts as keys. */
export function readPairs(value: YamlValue, path: string, notes: FileNotes): Keyed[] | undefined {
  if (value.kind !== 'map') {
    notes.refuse(value.span, `${path || 'The file'} must be a map of keys and values.`)
    return undefined
  }
  const prefix = path && `${path}.`
  return value.pairs.flatMap((pair) => {
    if (pair.key.kind === 'text') return { path: `${prefix}${excerpt(pair.key.value)}`, pair }
    notes.refuse(pair.key.span, `The key ${nameOf(pair.key)} is ${WORDS[pair.key.kind]} for Python. Put it in quotes.`)
    return []
  })
}

/** Returns the setting of a pair; undefined after a problem. */
export function readSetting({ path, pair }: Keyed, rule: SettingRule, notes: FileNotes): Setting | undefined {
  const value = rule.nullable && pair.value.kind === 'null' ? null : readTyped({ path, pair }, rule, notes)
  if (value === undefined) return undefined
  notes.note(path, pair.key.span)
  return { value, span: spanOf(pair) }
}

/** Returns the place from a pair's key to the end of its value. A merged value stands elsewhere, before its key or after it. */
const spanOf = ({ key, value }: YamlPair): Setting['span'] => ({
  ...key.span,
  end: Math.max(key.span.end, value.span.end),
})

function readTyped(keyed: Keyed, { type }: SettingRule, notes: FileNotes): Json | undefined {
  if (type === 'json') return readJson(keyed.pair.value, keyed.path, notes)
  if (type === 'texts' || type === 'textMap' || type === 'textMaps') return readTexts(keyed, type, notes)
  const scalar = keyed.pair.value
  const refuse = (need: string) => {
    const hint = typeof type === 'string' && type !== 'text' ? '' : hintFor(scalar)
    notes.refuse(scalar.span, `${keyed.path} must be ${need}, and not ${nameOf(scalar)}.${hint}`)
    return undefined
  }
  if (scalar.kind === 'list' || scalar.kind === 'map') return refuse(type === 'text' ? 'a text' : 'a single value')
  if (type === 'text') return scalar.kind === 'text' ? scalar.value : refuse('a text')
  if (typeof type !== 'string')
    return type.includes(String(scalar.value)) ? String(scalar.value) : refuse(`one of ${type.join(', ')}`)
  const read = READERS[type](scalar)
  if (read === undefined) return refuse(NEEDS[type])
  if (scalar.kind !== type) notes.note(keyed.path, scalar.span, 'changed', `ADK reads ${nameOf(scalar)} as ${read}.`)
  return read
}

const NEEDS = { flag: 'true or false', whole: 'a whole number', number: 'a number' }

/** Types as ADK (Pydantic) reads them from others. */
const READERS = {
  flag: ({ value }: YamlScalar) => {
    const written = String(value).toLowerCase()
    if (/^(?:true|t|yes|y|on|1)$/.test(written)) return true
    return /^(?:false|f|no|n|off|0)$/.test(written) ? false : undefined
  },
  whole: (scalar: YamlScalar) => {
    const isDecimal = scalar.kind === 'text' && !/^\s*[-+]?\d+(?:\.0*)?\s*$/.test(scalar.value)
    const value = readNumber(scalar)
    return Number.isSafeInteger(value) && !isDecimal ? value : undefined
  },
  number: (scalar: YamlScalar) => {
    const value = readNumber(scalar)
    return Number.isFinite(value) ? value : undefined
  },
}

function readNumber({ kind, value }: YamlScalar): number | undefined {
  if (kind === 'whole' || kind === 'number' || kind === 'flag') return Number(value)
  const isWritten = kind === 'text' && /^\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?\s*$/.test(String(value))
  return isWritten ? Number(value) : undefined
}

const SHAPES = {
  texts: 'a list of texts',
  textMap: 'a map of texts',
  textMaps: 'a list of maps with texts',
}

function readTexts({ path, pair }: Keyed, type: keyof typeof SHAPES, notes: FileNotes): Json | undefined {
  const refuse = (value: YamlValue) =>
    notes.refuse(value.span, `${path} must be ${SHAPES[type]}, and not ${nameOf(value)}.${hintFor(value)}`)
  const maps = type === 'textMaps' && pair.value.kind === 'list' ? pair.value.items : [pair.value]
  const texts = maps.flatMap((map): readonly YamlValue[] => {
    if (map.kind === 'list' && type === 'texts') return map.items
    return map.kind === 'map' && type !== 'texts' ? map.pairs.flatMap(({ key, value }) => [key, value]) : [map]
  })
  const wrong = texts.filter(({ kind }) => kind !== 'text')
  for (const value of wrong) refuse(value)
  const isList = pair.value.kind === 'list'
  if (wrong.length === 0 && isList === (type === 'textMap')) refuse(pair.value)
  if (wrong.length > 0 || isList === (type === 'textMap')) return undefined
  return readJson(pair.value, path, notes)
}

/** Returns any value as JSON has it, and notes what JSON has not. */
export function readJson(value: YamlValue, path: string, notes: FileNotes): Json {
  const counts = new Map<string, { count: number; first: YamlScalar }>()
  const count = (loss: string, scalar: YamlScalar) => {
    const counted = counts.get(loss)
    counts.set(loss, { count: (counted?.count ?? 0) + 1, first: counted?.first ?? scalar })
  }
  const json = toJson(value, count)
  for (const [loss, { count: times, first }] of counts) {
    const others = times > 1 ? `, and ${times - 1} more` : ''
    notes.note(path, first.span, 'changed', `${nameOf(first)} in line ${first.span.line}${others}: ${loss}.`)
  }
  return json
}

type Count = (loss: string, scalar: YamlScalar) => void

function toJson(value: YamlValue, count: Count): Json {
  if (value.kind === 'list') return value.items.map((item) => toJson(item, count))
  if (value.kind !== 'map') return scalarJson(value, count)
  const pairs = value.pairs.map(({ key, value: inner }) => {
    if (key.kind !== 'text') count('a key that is no text for Python is read as one here', key)
    return [String(key.value), toJson(inner, count)] as const
  })
  // Keys such as 1 and "1" are two for Python.
  if (new Set(pairs.map(([key]) => key)).size < pairs.length)
    count('another key has the same text, and only one of them is read here', value.pairs[0]?.key as YamlScalar)
  return Object.fromEntries(pairs)
}

function scalarJson(scalar: YamlScalar, count: Count): Json {
  const { kind, value } = scalar
  if (kind === 'date') count('Python reads a date, which is a text here', scalar)
  if (kind === 'whole' && !Number.isSafeInteger(value)) count('the number has more digits than are read here', scalar)
  if (typeof value !== 'number' || Number.isFinite(value)) return value
  count('there is no such number here, so it is read as null', scalar)
  return null
}

const WORDS = {
  text: 'a text',
  whole: 'a number',
  number: 'a number',
  flag: 'true or false',
  null: 'empty',
  date: 'a date',
  list: 'a list',
  map: 'a map',
}

/** Returns a value's name in a sentence. */
export function nameOf(value: YamlValue): string {
  if (value.kind === 'list' || value.kind === 'map') return WORDS[value.kind]
  if (value.kind === 'null') return 'nothing'
  return value.kind === 'text' ? `“${excerpt(value.value)}”` : excerpt(String(value.value))
}

/** Words and numbers that YAML 1.1 takes for something else are the usual reason. */
function hintFor({ kind }: YamlValue): string {
  if (kind === 'list' || kind === 'map' || kind === 'text' || kind === 'null') return ''
  return ` Python reads it as ${WORDS[kind]}: put it in quotes if it is a text.`
}

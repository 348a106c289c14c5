/** Reads YAML as Python's PyYAML does (`yaml.safe_load`), with the place of each value, so that text can be replaced. */
import { type Alias, isAlias, isScalar, isSeq, type Pair, type ParsedNode, Scalar, type YAMLMap } from 'yaml'
import { MAX_YAML_CHARS, parseYamlDocument, YamlError } from '#worker/text/yaml.ts'
import { readPlainScalar, type ScalarReading } from './python-scalars.ts'

/** Values of a document, with those that aliases stand for. */
const MAX_VALUES = 20_000

/** A part of a text, in UTF-16 units; `line` and `column` of its start count from 1. */
export interface Span {
  start: number
  end: number
  line: number
  column: number
}

export type YamlValue = YamlScalar | YamlList | YamlMap

export type YamlScalar = ScalarReading & { span: Span }
export type YamlText = Extract<YamlScalar, { kind: 'text' }>

interface YamlList {
  kind: 'list'
  items: readonly YamlValue[]
  span: Span
  /** Number of values in it and below, with those that aliases stand for. */
  size: number
}

export interface YamlMap {
  kind: 'map'
  /** Each key once: of two, Python takes the last. Merged pairs (`<<`) come first. */
  pairs: readonly YamlPair[]
  span: Span
  size: number
}

export interface YamlPair {
  key: YamlScalar
  value: YamlValue
}

/** A pair that Python drops without a word, since its key comes again. */
interface DroppedPair {
  pair: YamlPair
  /** Line of the pair that counts. */
  laterLine: number
}

export interface PythonYaml {
  /** Undefined for an empty document. */
  root: YamlValue | undefined
  dropped: readonly DroppedPair[]
}

/**
 * Returns the values of a document. Its cost is linear in the text and in the values that aliases stand for, which are
 * bounded.
 * @throws YamlError for what PyYAML refuses, and for what is too large, too deep or contains itself
 */
export function readPythonYaml(text: string): PythonYaml {
  if (text.length > MAX_YAML_CHARS) throw new YamlError(`it has more than ${MAX_YAML_CHARS} characters`, MAX_YAML_CHARS)
  refuseCharacters(text)
  const document = parseYamlDocument(text, {
    version: '1.1',
    schema: 'failsafe',
    resolveKnownTags: false,
    refusesTabs: true,
  })
  const reading = new YamlReading(text)
  const contents = document?.contents
  if (!contents || isEmptyDocument(contents)) return { root: undefined, dropped: [] }
  return { root: reading.read(contents), dropped: reading.dropped }
}

const isEmptyDocument = (node: ParsedNode) => isScalar(node) && node.type === Scalar.PLAIN && node.source === ''

/** All but tabs, line ends and printable characters. */
const UNPRINTABLE = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u
/** Line ends for Python alone. */
const FOREIGN_LINE_END = /[\x85\u2028\u2029]|\r(?!\n)/

function refuseCharacters(text: string): void {
  const unprintable = UNPRINTABLE.exec(text)
  if (unprintable)
    throw new YamlError(`it has the character ${codeOf(unprintable)}, which YAML does not allow`, unprintable.index)
  const lineEnd = FOREIGN_LINE_END.exec(text)
  if (lineEnd)
    throw new YamlError(
      `it has the character ${codeOf(lineEnd)}, which Python takes for the end of a line`,
      lineEnd.index,
    )
}

const codeOf = ([character = '']: RegExpExecArray) =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** Returns a function that finds the line and column of an offset; a file's byte order mark has no column. */
export function lineIndex(text: string): (offset: number) => { line: number; column: number } {
  const starts = [text.startsWith('\ufeff') ? 1 : 0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((starts[middle] as number) <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: Math.max(offset - (starts[low] as number), 0) + 1 }
  }
}

type Anchored = { value?: YamlValue }

class YamlReading {
  readonly dropped: DroppedPair[] = []
  readonly #anchors = new Map<string, Anchored>()
  readonly #position: ReturnType<typeof lineIndex>
  readonly #text: string
  #values = 0

  constructor(text: string) {
    this.#text = text
    this.#position = lineIndex(text)
  }

  /** @param at the place of a value that is left out */
  read(node: ParsedNode | null, at = 0): YamlValue {
    if (!node) return { kind: 'null', value: null, span: this.#span([at, at]) }
    if (isAlias(node)) return this.#readAlias(node)
    const anchored = this.#anchor(node)
    this.#count(1, node.range[0])
    const value = this.#readNode(node)
    if (anchored) anchored.value = value
    return value
  }

  #readNode(node: Exclude<ParsedNode, Alias.Parsed>): YamlValue {
    if (isScalar(node)) return this.#readScalar(node)
    const { tag, range } = node
    const kind = isSeq(node) ? 'list' : 'map'
    if (tag && tag !== (kind === 'list' ? SEQUENCE : MAPPING) && tag !== '!') throw tagError(tag, range[0])
    if (!isSeq(node)) return this.#readMap(node as YAMLMap.Parsed)
    const items = node.items.map((item) => this.read(item as ParsedNode, range[0]))
    return { kind: 'list', items, span: this.#span(range), size: sizeOf(items) }
  }

  /** Registers the anchor before the node is read, so that an alias inside finds that it is not complete. */
  #anchor({ anchor, range }: Exclude<ParsedNode, Alias.Parsed>): Anchored | undefined {
    if (anchor === undefined) return undefined
    if (this.#anchors.has(anchor)) throw new YamlError(`the anchor &${anchor} is there twice`, range[0])
    const anchored: Anchored = {}
    this.#anchors.set(anchor, anchored)
    return anchored
  }

  #readAlias({ source, range }: Alias.Parsed): YamlValue {
    const anchored = this.#anchors.get(source)
    if (!anchored) throw new YamlError(`the alias *${source} stands for nothing`, range[0])
    if (!anchored.value) throw new YamlError(`the alias *${source} stands for something that contains it`, range[0])
    this.#count(sizeOf([anchored.value]), range[0])
    return { ...anchored.value, span: this.#span(range) }
  }

  #readScalar({ source = '', type, tag, range }: Scalar.Parsed): YamlScalar {
    const span = this.#span(range)
    const isPlain = type === Scalar.PLAIN
    if (isPlain && this.#text.slice(span.start, span.end).includes('\t'))
      throw new YamlError('it has a tab in a text without quotes', span.start)
    const reading = withPosition(range[0], () => readScalarAs(tag, { source, isPlain }))
    if (typeof reading.value === 'string') refuseText(reading.value, range[0])
    return { ...reading, span }
  }

  #readMap(node: YAMLMap.Parsed): YamlMap {
    const merged: YamlPair[] = []
    const pairs = new Map<string, YamlPair>()
    for (const pair of node.items as Pair<ParsedNode, ParsedNode | null>[]) {
      if (isMergeKey(pair.key)) {
        merged.push(...this.#mergedPairs(pair))
        continue
      }
      const read = this.#readPair(pair, node.range[0])
      const identity = identityOf(read.key)
      const earlier = pairs.get(identity)
      if (earlier) this.dropped.push({ pair: earlier, laterLine: read.key.span.line })
      pairs.set(identity, read)
    }
    // The map's own pairs count before merged ones.
    const all = new Map(merged.map((pair) => [identityOf(pair.key), pair]))
    for (const [identity, pair] of pairs) all.set(identity, pair)
    const list = [...all.values()]
    return { kind: 'map', pairs: list, span: this.#span(node.range), size: sizeOf(list.map(({ value }) => value)) }
  }

  #readPair({ key, value }: Pair<ParsedNode, ParsedNode | null>, at: number): YamlPair {
    const read = this.read(key, at)
    if (read.kind === 'list' || read.kind === 'map')
      throw new YamlError('a key must be a text, not a list or a map', read.span.start)
    return { key: read, value: this.read(value, read.span.end) }
  }

  /** Returns the pairs of one map or of several, whose first comes last, since its pairs count. */
  #mergedPairs({ value }: Pair<ParsedNode, ParsedNode | null>): YamlPair[] {
    const read = this.read(value)
    const maps = read.kind === 'list' ? read.items : [read]
    return maps.toReversed().flatMap((map) => {
      if (map.kind !== 'map') throw new YamlError('"<<" needs a map, or a list of maps', read.span.start)
      return map.pairs
    })
  }

  #count(values: number, offset: number): void {
    this.#values += values
    if (this.#values > MAX_VALUES)
      throw new YamlError(`it has more than ${MAX_VALUES} values, with those that aliases stand for`, offset)
  }

  #span([start, end]: readonly [number, number, ...number[]]): Span {
    return { start, end, ...this.#position(start) }
  }
}

const TAGS = 'tag:yaml.org,2002:'
const SEQUENCE = `${TAGS}seq`
const MAPPING = `${TAGS}map`

const sizeOf = (values: readonly YamlValue[]): number =>
  values.reduce((sum, value) => sum + ('size' in value ? value.size : 1), 1)

const tagError = (tag: string, offset: number) =>
  new YamlError(`it has a value of the type ${tag.replace(TAGS, '!!')}, which designs do not use`, offset)

function isMergeKey(key: ParsedNode | null): boolean {
  return isScalar(key) && ((key.type === Scalar.PLAIN && key.source === '<<' && !key.tag) || key.tag === `${TAGS}merge`)
}

/** Keys that Python takes for the same: 1, 1.0 and true are. */
function identityOf({ kind, value }: YamlScalar): string {
  if (kind === 'text' || kind === 'date') return `${kind} ${value}`
  return value === null ? 'null' : `number ${Number(value)}`
}

function readScalarAs(
  tag: string | undefined,
  { source, isPlain }: { source: string; isPlain: boolean },
): ScalarReading {
  const text: ScalarReading = { kind: 'text', value: source }
  if (tag === `${TAGS}str` || (!tag && !isPlain)) return text
  if (!tag || tag === '!') return readPlainScalar(source)
  const reading = readPlainScalar(source)
  if (TAGS_OF_KINDS[reading.kind] === tag) return reading
  throw tagError(tag, 0)
}

const TAGS_OF_KINDS: Partial<Record<ScalarReading['kind'], string>> = {
  whole: `${TAGS}int`,
  number: `${TAGS}float`,
  flag: `${TAGS}bool`,
  null: `${TAGS}null`,
  date: `${TAGS}timestamp`,
}

function withPosition<T>(offset: number, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new YamlError((error as Error).message, offset)
  }
}

function refuseText(text: string, offset: number): void {
  if (!text.isWellFormed()) throw new YamlError('it has a text with half a character', offset)
  if (text.includes('\0')) throw new YamlError('it has a text with the character NUL', offset)
}

/** Parses third-party YAML. The library's `parse` continues after errors and takes quadratic time to report them. */
import { Composer, type Document, type DocumentOptions, Lexer, type ParsedNode, Parser, type SchemaOptions } from 'yaml'

/** Takes about three seconds. */
export const MAX_YAML_CHARS = 1_000_000
const MAX_DEPTH = 300

export class YamlError extends Error {
  /** The place in the text, in UTF-16 units. */
  readonly offset: number

  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

/** Returns the value. @throws YamlError with the first problem, and Error for aliases that stand for too much */
export function parseYaml(written: string): unknown {
  if (written.length > MAX_YAML_CHARS)
    throw new Error(`YAML may have at most ${MAX_YAML_CHARS} characters. Convert it to JSON.`)
  return parseYamlDocument(written)?.toJS()
}

/**
 * Returns the only document of a text with its nodes; undefined when there is none. Duplicate keys, which would take
 * quadratic time to find, are kept.
 * @throws YamlError with the first problem
 */
export function parseYamlDocument(
  written: string,
  { refusesTabs = false, ...options }: YamlOptions = {},
): Document.Parsed<ParsedNode> | undefined {
  const composer = new Composer({ ...options, uniqueKeys: false })
  let first: YamlError | undefined
  // biome-ignore lint/complexity/useLiteralKeys: private, and the only way to stop at the first error
  composer['onError'] = (source: ErrorSource, _code: string, message: string, isWarning?: boolean) => {
    if (isWarning) return
    // The composer catches this inside collections and reports it again for each of them.
    first ??= new YamlError(message, offsetOf(source))
    throw first
  }
  const documents: Document.Parsed<ParsedNode>[] = []
  for (const token of tokenize(written, refusesTabs)) {
    if (token.type === 'error') throw new YamlError(token.message, token.offset)
    documents.push(...composer.next(token))
    if (documents.length > 1) break
  }
  documents.push(...composer.end(true, written.length))
  const [document, another] = documents
  if (another) throw new YamlError('it contains several documents', another.range[0])
  return document
}

interface YamlOptions extends DocumentOptions, SchemaOptions {
  /** Between values, where Python takes no tab. */
  refusesTabs?: boolean
}

/** The lexer's mark before a text without quotes or of a block. */
const TEXT_FOLLOWS = '\x1f'
/** Lexemes that are no part of the text: begin of a document, end of flow, begin of a text. */
const MARKS = new Set(['\x02', '\x18', TEXT_FOLLOWS])

type ErrorSource = number | [number, number] | { offset: number }

function offsetOf(source: ErrorSource): number {
  if (typeof source === 'number') return source
  return Array.isArray(source) ? source[0] : source.offset
}

function* tokenize(written: string, refusesTabs: boolean) {
  const parser = new Parser()
  let offset = 0
  let isText = false
  for (const lexeme of new Lexer().lex(written)) {
    if (refusesTabs && !isText && /^[ \t]*\t/.test(lexeme)) throw new YamlError('it has a tab between values', offset)
    yield* parser.next(lexeme)
    if (parser.stack.length > MAX_DEPTH) throw new YamlError('it is nested too deeply', offset)
    isText = lexeme === TEXT_FOLLOWS
    if (!MARKS.has(lexeme)) offset += lexeme.length
  }
  yield* parser.end()
}

/** Parses third-party YAML. The library's `parse` continues after errors and takes quadratic time to report them. */
import { Composer, type Document, Lexer, type ParsedNode, Parser } from 'yaml'

/** Takes about three seconds. */
const MAX_CHARS = 1_000_000
const MAX_DEPTH = 300

/** Returns the document. @throws Error with the first problem */
export function parseYaml(written: string): unknown {
  if (written.length > MAX_CHARS) throw new Error(`YAML may have at most ${MAX_CHARS} characters. Convert it to JSON.`)
  // Checking for duplicate keys takes quadratic time.
  const composer = new Composer({ uniqueKeys: false })
  // biome-ignore lint/complexity/useLiteralKeys: private, and the only way to stop at the first error
  composer['onError'] = (_source: unknown, _code: string, message: string, isWarning: boolean) => {
    if (!isWarning) throw new Error(message)
  }
  const documents: Document.Parsed<ParsedNode>[] = []
  for (const token of tokenize(written)) {
    if (token.type === 'error') throw new Error(token.message)
    documents.push(...composer.next(token))
    if (documents.length > 1) break
  }
  documents.push(...composer.end(true, written.length))
  if (documents.length > 1) throw new Error('it contains several documents')
  return documents[0]?.toJS()
}

function* tokenize(written: string) {
  const parser = new Parser()
  for (const lexeme of new Lexer().lex(written)) {
    yield* parser.next(lexeme)
    if (parser.stack.length > MAX_DEPTH) throw new Error('it is nested too deeply')
  }
  yield* parser.end()
}

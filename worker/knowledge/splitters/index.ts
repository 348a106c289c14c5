/** All splitters. */
import { MAX_CHUNK_CHARS } from '#contract/document-stores/limits.ts'
import { ConfigError } from '../../inputs/component-config.ts'
import type { Piece, SourceDocument, SplitterType } from '../types.ts'
import { characterTextSplitter } from './character.ts'
import { codeTextSplitter } from './code.ts'
import { htmlToMarkdownTextSplitter } from './html-to-markdown.ts'
import { markdownTextSplitter } from './markdown.ts'
import { recursiveCharacterTextSplitter } from './recursive-character.ts'
import { tokenTextSplitter } from './token.ts'

export const splitters: SplitterType[] = [
  recursiveCharacterTextSplitter,
  markdownTextSplitter,
  htmlToMarkdownTextSplitter,
  tokenTextSplitter,
  characterTextSplitter,
  codeTextSplitter,
]

const WHOLE = { chunkSize: MAX_CHUNK_CHARS, chunkOverlap: 0 }

/**
 * Cuts a document with the splitter of this name. Without one it stays whole, as far as a chunk may be long.
 * @throws ConfigError that says which input is wrong
 */
export function splitDocument(document: SourceDocument, name: string, config: Record<string, unknown>): Piece[] {
  if (name === '') return recursiveCharacterTextSplitter.split(document, WHOLE)
  const splitter = splitters.find(({ definition }) => definition.name === name)
  if (!splitter) throw new ConfigError(`There is no text splitter "${name}". Choose another one.`)
  return splitter.split(document, config)
}

/** How fast files become chunks, without embedding: reading, cutting and counting the Markdown of all packages here. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { countTokens } from '#contract/document-stores/tokens.ts'
import { readFile } from '#worker/knowledge/readers/index.ts'
import { splitDocument, splitters } from '#worker/knowledge/splitters/index.ts'
import { root } from '#worker/local/paths.ts'
import { atLeast, type Row } from './table.ts'

/** Megabytes a second. */
const LEAST = 1

interface Markdown {
  name: string
  bytes: Uint8Array
}

export async function measureIngest(): Promise<Row[]> {
  const files = markdownFiles()
  const rows: Row[] = []
  for (const { definition } of splitters) {
    const { seconds, bytes, chunks } = await ingest(files, definition.name)
    const measure = `${(bytes / 1e6).toFixed(1)} MB of Markdown in ${files.length} files into ${chunks} chunks, ${definition.label}`
    rows.push(atLeast(measure, bytes / 1e6 / seconds, LEAST, 'MB/s'))
  }
  return rows
}

function markdownFiles(): Markdown[] {
  const folder = join(root, 'node_modules')
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(md|markdown)$/i.test(entry.name))
    .map(({ parentPath, name }) => ({ name, bytes: new Uint8Array(readFileSync(join(parentPath, name))) }))
    .filter(({ bytes }) => bytes.length > 0)
}

async function ingest(files: Markdown[], splitter: string) {
  const started = performance.now()
  let bytes = 0
  let chunks = 0
  let tokens = 0
  for (const file of files) {
    bytes += file.bytes.length
    for (const document of await documentsIn(file))
      for (const { text } of splitDocument(document, splitter, { language: 'markdown' })) {
        chunks += 1
        tokens += countTokens(text)
      }
  }
  if (tokens === 0) throw new Error('There is no Markdown to measure')
  return { seconds: (performance.now() - started) / 1000, bytes, chunks }
}

/** Files of nothing but whitespace are refused, which is reading as well. */
async function documentsIn({ name, bytes }: Markdown) {
  try {
    return (await readFile(bytes, { name, mime: 'text/markdown' })).documents
  } catch {
    return []
  }
}

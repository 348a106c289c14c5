/**
 * How fast files become chunks, without embedding: reading, cutting and counting the Markdown of all packages here, and
 * a whole job that stores it and indexes its words. And whether people who call flows notice such a job.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { countTokens } from '#contract/document-stores/tokens.ts'
import { readFile } from '#worker/knowledge/readers/index.ts'
import { splitDocument, splitters } from '#worker/knowledge/splitters/index.ts'
import { root } from '#worker/local/paths.ts'
import { chain, code, start } from '../support/flows.ts'
import { post, timed } from './calls.ts'
import type { Product } from './product.ts'
import { atLeast, atMostTimes, quantile, type Row } from './table.ts'

/** Megabytes a second. */
const MIN_MB_PER_SECOND = 1
/** How many times as long the 95th percentile of predictions may take. */
const TIMES_BESIDE = 2
/** What a store reads, alone and while predictions are called. */
const STORED_BYTES = 8_000_000
const CALLS_ALONE = 200
/** Calls between two looks at the job. */
const CALLS_BETWEEN = 20
const POLL_MS = 200

interface Markdown {
  name: string
  bytes: Uint8Array<ArrayBuffer>
}

export async function measureIngest(product: Product): Promise<Row[]> {
  const files = markdownFiles()
  const rows = [await measureAlone(product, files), await measureBeside(product, files)]
  for (const { definition } of splitters) {
    const { seconds, bytes, chunks } = await ingest(files, definition.name)
    const measure = `${(bytes / 1e6).toFixed(1)} MB of Markdown in ${files.length} files into ${chunks} chunks, ${definition.label}`
    rows.push(atLeast(measure, bytes / 1e6 / seconds, MIN_MB_PER_SECOND, 'MB/s'))
  }
  return rows
}

/** One caller's predictions while a store reads, against the same on a quiet product. */
async function measureBeside(product: Product, files: Markdown[]): Promise<Row> {
  const flowId = await product.save(chain(start(), code('return $input')))
  const predict = () => timed(() => post(`${product.url}/api/v1/prediction/${flowId}`, { question: 'Hello' }))
  await callTimes(predict, CALLS_BETWEEN)
  const alone = await callTimes(predict, CALLS_ALONE / 2)
  const beside: number[] = []
  const { bytes, seconds } = await readMarkdown(product, files, async () => {
    beside.push(...(await callTimes(predict, CALLS_BETWEEN)))
  })
  const measure = `p95 of ${beside.length} predictions while a store reads ${(bytes / 1e6).toFixed(1)} MB in ${seconds.toFixed(0)} s`
  // What else the machine does may change meanwhile.
  alone.push(...(await callTimes(predict, CALLS_ALONE / 2)))
  const [value, base] = [quantile(beside, 0.95), quantile(alone, 0.95)]
  return atMostTimes(measure, { value, base, times: TIMES_BESIDE, unit: 'ms' })
}

/** A whole job, from its call to its end. */
async function measureAlone(product: Product, files: Markdown[]): Promise<Row> {
  const { bytes, seconds } = await readMarkdown(product, files, () => sleep(POLL_MS))
  return atLeast(
    `a store reads ${(bytes / 1e6).toFixed(1)} MB and indexes its words`,
    bytes / 1e6 / seconds,
    MIN_MB_PER_SECOND,
    'MB/s',
  )
}

/** @param meanwhile what is done between two looks at the job */
async function readMarkdown(product: Product, files: Markdown[], meanwhile: () => Promise<unknown>) {
  const { docId, bytes } = await saveMarkdown(product, files)
  const begin = performance.now()
  const { jobId } = await product.post<{ jobId: string }>(`/document-store/loader/process/${docId}?async=true`, {})
  let state = ''
  do {
    await meanwhile()
    state = await jobState(product, jobId)
  } while (state === 'queued' || state === 'running')
  if (state !== 'done') throw new Error(`The job that reads is ${state}`)
  return { bytes, seconds: (performance.now() - begin) / 1000 }
}

async function callTimes(call: () => Promise<number>, count: number): Promise<number[]> {
  const times: number[] = []
  while (times.length < count) times.push(await call())
  return times
}

async function saveMarkdown({ client, post: send }: Product, files: Markdown[]) {
  const { id: storeId } = await send<{ id: string }>('/document-store/store', { name: 'Markdown', description: '' })
  const names: string[] = []
  let bytes = 0
  for (const file of files) {
    if (bytes >= STORED_BYTES) break
    const name = `${names.length}.md`
    const headers = { 'content-type': 'application/octet-stream' }
    const path = `/api/v1/document-store/store/${storeId}/files?name=${name}`
    const sent = await client.fetch(path, { method: 'POST', body: file.bytes, headers })
    if (!sent.ok) throw new Error(`${path} answered ${sent.status}: ${await sent.text()}`)
    names.push(name)
    bytes += file.bytes.length
  }
  const loader = {
    ...{ storeId, loaderId: 'fileLoader', loaderConfig: { file: `FILE-STORAGE::${JSON.stringify(names)}` } },
    ...{ splitterId: 'markdownTextSplitter', splitterConfig: { chunkSize: 1000, chunkOverlap: 100 } },
  }
  return { docId: (await send<{ id: string }>('/document-store/loader/save', loader)).id, bytes }
}

async function jobState({ client }: Product, jobId: string): Promise<string> {
  const response = await client.fetch(`/api/v1/document-store/jobs/${jobId}`)
  return ((await response.json()) as { state: string }).state
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

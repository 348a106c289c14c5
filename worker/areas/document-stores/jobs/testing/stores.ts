/** Test helper: stores of texts whose parts are paragraphs, embedded by a scripted provider. */
import type { DocumentChunk } from '#contract/document-stores/chunks.ts'
import type { DocumentJob } from '#contract/document-stores/jobs.ts'
import { call, type TestClient } from '#worker/local/testing/client.ts'

const ROOT = '/document-store'

/** Each paragraph becomes one chunk. */
export const splitter = {
  splitterId: 'characterTextSplitter',
  splitterConfig: { separator: '\n\n', chunkSize: 30, chunkOverlap: 0 },
}

/** Pads a text to the length of a chunk, so that no two share one. */
export const paragraph = (text: string): string => text.padEnd(28, '.')
export const textOf = (...paragraphs: string[]): string => paragraphs.map(paragraph).join('\n\n')

export async function ok(client: TestClient, method: string, path: string, json?: unknown) {
  const { status, body, text } = await call(client, method, path, json)
  if (status !== 200 && status !== 202) throw new Error(`${method} ${path} answered ${status}: ${text}`)
  return body
}

export async function newStore(client: TestClient, name = 'Store'): Promise<string> {
  return (await ok(client, 'POST', `${ROOT}/store`, { name, description: '' })).id
}

export async function saveText(client: TestClient, storeId: string, text: string, id?: string): Promise<string> {
  const loader = { storeId, loaderId: 'plainText', loaderConfig: { text }, ...splitter, ...(id && { id }) }
  return (await ok(client, 'POST', `${ROOT}/loader/save`, loader)).id
}

/** Sends files by name and saves the loader that reads them. */
export async function saveFiles(
  client: TestClient,
  { storeId, files, id }: { storeId: string; files: Record<string, string>; id?: string },
): Promise<string> {
  const uris = Object.entries(files).map(
    ([name, text]) => `data:text/plain;base64,${Buffer.from(text).toString('base64')},filename:${name}`,
  )
  const loaderConfig = { file: JSON.stringify(uris) }
  const loader = { storeId, loaderId: 'fileLoader', loaderConfig, ...splitter, ...(id && { id }) }
  return (await ok(client, 'POST', `${ROOT}/loader/save`, loader)).id
}

export const readJob = (client: TestClient, id: string): Promise<DocumentJob> => ok(client, 'GET', `${ROOT}/jobs/${id}`)

export const start = async (client: TestClient, path: string, json: object = {}): Promise<string> =>
  (await ok(client, 'POST', `${ROOT}${path}?async=true`, json)).jobId

export const act = (client: TestClient, id: string, action: string): Promise<DocumentJob> =>
  ok(client, 'POST', `${ROOT}/jobs/${id}/${action}`)

export const chunkTexts = (chunks: Pick<DocumentChunk, 'pageContent'>[]): string[] =>
  chunks.map(({ pageContent }) => pageContent.replace(/\.+$/, ''))

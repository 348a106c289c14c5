/** API calls of import and export. */
import type { FlowList } from '#contract/chatflows/flow-summary.ts'
import { tryParseJson } from '#contract/data/json.ts'
import {
  type Choice,
  type ExportRequest,
  type ImportAnswer,
  NOT_EXPORTED,
} from '#contract/export-import/export-import.ts'
import { api } from '../../api/client.ts'
import { loadComponents } from '../../api/components.ts'
import { ownAssetsQuery } from '../../api/own-assets.ts'
import { queryClient } from '../../api/query.ts'
import type { ServerQueries } from './open-file.ts'

export const serverQueries: Omit<ServerQueries, 'canImportBundle'> = {
  components: loadComponents,
  knownIds: async () => {
    const [flows, ...own] = await Promise.all([
      loadFlowIds(),
      queryClient.fetchQuery(ownAssetsQuery('tool')),
      queryClient.fetchQuery(ownAssetsQuery('mcpServer')),
      queryClient.fetchQuery(ownAssetsQuery('assistant')),
      queryClient.fetchQuery(ownAssetsQuery('store')),
    ])
    // Stores have the form `<id>:<name>`.
    return [...flows, ...own.flat().map(({ name }) => name.split(':', 1)[0] as string)]
  },
  dryRun: (bundle) => api.post<ImportAnswer>('/export-import/import?dryRun=true', bundle),
}

const MOST_FLOWS = 1000

async function loadFlowIds(): Promise<string[]> {
  const ids: string[] = []
  for (let page = 1; ; page++) {
    const { data, total } = await api.get<FlowList>('/chatflows-list', { page, limit: MOST_FLOWS })
    ids.push(...data.map(({ id }) => id))
    if (data.length === 0 || page * MOST_FLOWS >= total) return ids
  }
}

export async function importBundle(bundle: object, choices: Record<string, Choice>): Promise<void> {
  await api.post<ImportAnswer>('/export-import/import', { ...bundle, choices })
  // A file may change what every page shows.
  await queryClient.invalidateQueries()
}

interface ExportOptions {
  /** Receives how many bytes have come. */
  onProgress(bytes: number): void
  signal: AbortSignal
}

interface ExportedFile {
  name: string
  file: Blob
  /** Items that were not exported, for people. */
  notExported: string[]
}

/** Returns the file of an export as it comes. Throws ApiError, or the signal's reason. */
export async function exportWorkspace(
  asked: Partial<ExportRequest>,
  { onProgress, signal }: ExportOptions,
): Promise<ExportedFile> {
  const response = await api.stream('/export-import/export', asked, signal)
  const reader = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader()
  const parts: BlobPart[] = []
  let bytes = 0
  for (;;) {
    const { value, done } = await reader.read()
    if (done) break
    parts.push(value)
    bytes += value.length
    onProgress(bytes)
  }
  const answer = new Blob(parts, { type: 'application/json' })
  return { ...(await withoutName(answer)), notExported: await readNotExported(answer) }
}

/** Longer than what says at the end of a file that something is missing. */
const END = 512 * 1024

/** Returns what an export left out, which its answer says last, or nothing. */
export async function readNotExported(answer: Blob): Promise<string[]> {
  const end = await answer.slice(-END).text()
  const [, ...ends] = end.split(`,"${NOT_EXPORTED}":`)
  const last = ends.at(-1)
  const notes = last === undefined ? undefined : tryParseJson(last.slice(0, -1))
  return Array.isArray(notes) ? notes.flatMap(({ note }) => (typeof note === 'string' ? note : [])) : []
}

/** Longer than what names the file. */
const BEGINNING = 1000

/** The name of the file is in the answer, but not in the file. */
export async function withoutName(answer: Blob): Promise<{ name: string; file: Blob }> {
  const beginning = await answer.slice(0, BEGINNING).text()
  const named = /^\{"FileDefaultName":"([^"\\]{1,200})",/.exec(beginning)
  if (!named) throw new Error('The answer does not begin with the name of the file')
  return { name: named[1] as string, file: new Blob(['{', answer.slice(named[0].length)], { type: answer.type }) }
}

/** API calls of import and export. */
import type { Chatflow } from '#contract/chatflows/chatflows.ts'
import type { Choice, ExportRequest, ImportAnswer } from '#contract/export-import/export-import.ts'
import { api } from '../../api/client.ts'
import { loadComponents } from '../../api/components.ts'
import { ownAssetsQuery } from '../../api/own-assets.ts'
import { queryClient } from '../../api/query.ts'
import type { ServerQueries } from './open-file.ts'

export const serverQueries: Omit<ServerQueries, 'canImportBundle'> = {
  components: loadComponents,
  knownIds: async () => {
    const [flows, ...own] = await Promise.all([
      api.get<Chatflow[]>('/chatflows'),
      queryClient.fetchQuery(ownAssetsQuery('tool')),
      queryClient.fetchQuery(ownAssetsQuery('mcpServer')),
      queryClient.fetchQuery(ownAssetsQuery('assistant')),
      queryClient.fetchQuery(ownAssetsQuery('store')),
    ])
    // Stores have the form `<id>:<name>`.
    return [...flows.map(({ id }) => id), ...own.flat().map(({ name }) => name.split(':', 1)[0] as string)]
  },
  dryRun: (bundle) => api.post<ImportAnswer>('/export-import/import?dryRun=true', bundle),
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

/** Returns the file of an export as it comes. Throws ApiError, or the signal's reason. */
export async function exportWorkspace(
  asked: Partial<ExportRequest>,
  { onProgress, signal }: ExportOptions,
): Promise<{ name: string; file: Blob }> {
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
  return withoutName(new Blob(parts, { type: 'application/json' }))
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

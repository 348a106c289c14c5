/** API calls of import and export. */
import type { Chatflow } from '#contract/chatflows.ts'
import type { Choice, ExportAnswer, ExportRequest, ImportAnswer } from '#contract/export-import.ts'
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
    ])
    return [...flows.map(({ id }) => id), ...own.flat().map(({ name }) => name)]
  },
  dryRun: (bundle) => api.post<ImportAnswer>('/export-import/import?dryRun=true', bundle),
}

export async function importBundle(bundle: object, choices: Record<string, Choice>): Promise<void> {
  await api.post<ImportAnswer>('/export-import/import', { ...bundle, choices })
  // A file may change what every page shows.
  await queryClient.invalidateQueries()
}

export const exportWorkspace = (asked: Partial<ExportRequest>) => api.post<ExportAnswer>('/export-import/export', asked)

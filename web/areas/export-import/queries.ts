/** API calls of import and export. */
import type { Chatflow } from '#contract/chatflows.ts'
import type { ExportAnswer, ExportRequest, ImportAnswer } from '#contract/export-import.ts'
import { api } from '../../api/client.ts'
import { loadComponents } from '../../api/components.ts'
import { invalidate } from '../../api/query.ts'
import type { ServerQueries } from './open-file.ts'

const IMPORTED_AREAS = ['chatflows', 'variables', 'executions']

export const serverQueries: Omit<ServerQueries, 'canImportBundle'> = {
  components: loadComponents,
  flowIds: async () => (await api.get<Chatflow[]>('/chatflows')).map(({ id }) => id),
  dryRun: (bundle) => api.post<ImportAnswer>('/export-import/import?dryRun=true', bundle),
}

export async function importBundle(bundle: object): Promise<void> {
  await api.post<ImportAnswer>('/export-import/import', bundle)
  await Promise.all(IMPORTED_AREAS.map(invalidate))
}

export const exportWorkspace = (asked: Partial<ExportRequest>) => api.post<ExportAnswer>('/export-import/export', asked)

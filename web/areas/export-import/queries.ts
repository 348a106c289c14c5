/** API calls of import and export. */
import type { Chatflow } from '#contract/chatflows.ts'
import type { ExportAnswer, ExportRequest, ImportAnswer } from '#contract/export-import.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
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

/** Creates a flow and returns its id. */
export async function createFlow(name: string, flow: FlowDocument): Promise<string> {
  const body = { name, type: 'AGENTFLOW', flowData: JSON.stringify(flow), versionNote: 'Imported' }
  const { id } = await api.post<Chatflow>('/chatflows', body)
  await invalidate('chatflows')
  return id
}

export const exportWorkspace = (asked: Partial<ExportRequest>) => api.post<ExportAnswer>('/export-import/export', asked)

/** Actions on flows that report their result in a toast. */
import type { Chatflow } from '#contract/chatflows/chatflows.ts'
import type { FlowListItem } from '#contract/chatflows/flow-summary.ts'
import { errorMessage } from '#contract/errors.ts'
import { kindOf } from '#contract/flow/kinds/index.ts'
import { ApiError, api } from '../api/client.ts'
import { loadComponents } from '../api/components.ts'
import { createFlow, type LoadedSources, loadSources } from '../api/flows.ts'
import { notify } from '../state/notify.ts'
import { downloadFlowFile } from '../ui/download-flow-file.ts'
import { deleteUsedAsset } from '../usages/delete-used-asset.ts'
import { deleteFlow } from './queries.ts'

const loadFlow = (id: string) => api.get<Chatflow>(`/chatflows/${id}`)

export async function duplicateFlow({ id, name }: FlowListItem): Promise<void> {
  try {
    const flow = await loadFlow(id)
    const copy = await createFlow({ ...flow, name: `${flow.name} (copy)`, copyOf: flow.id })
    notify.success(`Created “${copy.name}”`)
  } catch (error) {
    notify.error(`Couldn’t duplicate “${name}”: ${errorMessage(error)}`)
  }
}

export function confirmDeleteFlow({ id, name }: FlowListItem) {
  let flow: Chatflow | undefined
  let loaded: LoadedSources | undefined
  return deleteUsedAsset({
    name,
    of: { kind: 'flow', asset: id },
    until: 'you choose another flow',
    note: 'This also deletes its conversations and executions. API calls to it will fail.',
    async remove() {
      // A flow or files that cannot be read keep nobody from deleting the flow.
      const [read, sources] = await Promise.allSettled([loadFlow(id), loadSources(id)])
      if (read.status === 'fulfilled') flow = read.value
      if (sources.status === 'fulfilled') loaded = sources.value
      await deleteFlow(id)
    },
    undo() {
      const deleted = flow
      return deleted && { label: 'Restore', run: () => restoreFlow(deleted, loaded) }
    },
  })
}

/** Recreates the flow under a new id. @param loaded undefined when its source files could not be read */
async function restoreFlow(flow: Chatflow, loaded: LoadedSources | undefined): Promise<void> {
  try {
    await createFlow({ ...flow, ...(loaded && { sources: loaded.sources }) })
    const isWhole = loaded?.lost.length === 0
    const lost = isWhole ? 'conversations' : `conversations and ${loaded ? 'some' : 'its'} source files`
    notify.success(`Restored “${flow.name}” as a new flow without ${lost}`)
  } catch (error) {
    notify.error(`Couldn’t restore “${flow.name}”: ${errorMessage(error)}`)
  }
}

/** Downloads the flow without credentials and secrets. */
export async function downloadFlow({ id }: Pick<Chatflow, 'id'>): Promise<void> {
  try {
    const [{ exportFlow }, { parseFlowData }, flow, components, sources] = await Promise.all([
      import('#contract/flow/document/serialize.ts'),
      import('#contract/chatflows/chatflows.ts'),
      loadFlow(id),
      loadComponents(),
      loadSources(id),
    ])
    const fileName = `${flow.name} ${kindOf(flow.type).fileSuffix}.json`
    downloadFlowFile(fileName, exportFlow(parseFlowData(flow.flowData), components), sources)
  } catch (error) {
    notify.error(`Failed to export: ${error instanceof ApiError ? error.message : 'Internal Server Error'}`)
  }
}

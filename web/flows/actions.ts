/** Actions on flows that report their result in a toast. */
import type { Chatflow } from '#contract/chatflows/chatflows.ts'
import { errorMessage } from '#contract/errors.ts'
import { kindOf } from '#contract/flow/kinds/index.ts'
import { ApiError } from '../api/client.ts'
import { loadComponents } from '../api/components.ts'
import { createFlow, type LoadedSources, loadSources } from '../api/flows.ts'
import { notify } from '../state/notify.ts'
import { downloadFlowFile } from '../ui/download-flow-file.ts'
import { deleteUsedAsset } from '../usages/delete-used-asset.ts'
import { deleteFlow } from './queries.ts'

export async function duplicateFlow(flow: Chatflow): Promise<void> {
  try {
    const copy = await createFlow({ ...flow, name: `${flow.name} (copy)`, copyOf: flow.id })
    notify.success(`Created “${copy.name}”`)
  } catch (error) {
    notify.error(`Couldn’t duplicate “${flow.name}”: ${errorMessage(error)}`)
  }
}

export function confirmDeleteFlow(flow: Chatflow) {
  let loaded: LoadedSources | undefined
  return deleteUsedAsset({
    name: flow.name,
    of: { kind: 'flow', asset: flow.id },
    until: 'you choose another flow',
    note: 'This also deletes its conversations and executions. API calls to it will fail.',
    async remove() {
      // Files that cannot be read keep nobody from deleting the flow.
      loaded = await loadSources(flow.id).catch(() => undefined)
      await deleteFlow(flow.id)
    },
    undo: { label: 'Restore', run: () => restoreFlow(flow, loaded) },
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
export async function downloadFlow(flow: Chatflow): Promise<void> {
  try {
    const [{ exportFlow }, { parseFlowData }, components, sources] = await Promise.all([
      import('#contract/flow/document/serialize.ts'),
      import('#contract/chatflows/chatflows.ts'),
      loadComponents(),
      loadSources(flow.id),
    ])
    const fileName = `${flow.name} ${kindOf(flow.type).fileSuffix}.json`
    downloadFlowFile(fileName, exportFlow(parseFlowData(flow.flowData), components), sources)
  } catch (error) {
    notify.error(`Failed to export: ${error instanceof ApiError ? error.message : 'Internal Server Error'}`)
  }
}

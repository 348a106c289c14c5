/** What can be done with a flow from the list; each tells the person how it went. */
import type { Chatflow, FlowType } from '#contract/chatflows.ts'
import { errorMessage } from '#contract/errors.ts'
import { ApiError } from '../../api/client.ts'
import { loadComponents } from '../../api/components.ts'
import { deleteAsset } from '../../state/delete-asset.ts'
import { notify } from '../../state/notify.ts'
import { downloadJson } from '../../ui/download.ts'
import { createFlow, deleteFlow } from './queries.ts'

export async function duplicateFlow(flow: Chatflow): Promise<void> {
  try {
    const copy = await createFlow({ ...flow, name: `${flow.name} (copy)` })
    notify.success(`Created “${copy.name}”`)
  } catch (error) {
    notify.error(`“${flow.name}” was not duplicated: ${errorMessage(error)}`)
  }
}

export const askAndDeleteFlow = (flow: Chatflow) =>
  deleteAsset({
    name: flow.name,
    description: 'Its conversations and executions are deleted with it, and programs that call it will fail.',
    remove: () => deleteFlow(flow.id),
    undo: { label: 'Restore', run: () => restoreFlow(flow) },
  })

/** The flow comes back as it was drawn, under a new id. */
async function restoreFlow(flow: Chatflow): Promise<void> {
  try {
    await createFlow(flow)
    notify.success(`Restored “${flow.name}” as a new flow, without its past conversations`)
  } catch (error) {
    notify.error(`“${flow.name}” was not restored: ${errorMessage(error)}`)
  }
}

/** How the names of files end, as Flowise has them. */
const FILE_WORDS: Record<FlowType, string> = {
  AGENTFLOW: 'Agents',
  MULTIAGENT: 'Agents',
  CHATFLOW: 'Chatflow',
  ASSISTANT: 'Assistant',
}

/** Saves the flow as a file without credentials and secrets. */
export async function downloadFlow(flow: Chatflow): Promise<void> {
  try {
    const [{ exportFlow }, { parseFlowData }, components] = await Promise.all([
      import('#contract/flow/document/serialize.ts'),
      import('#contract/chatflows.ts'),
      loadComponents(),
    ])
    downloadJson(`${flow.name} ${FILE_WORDS[flow.type]}.json`, exportFlow(parseFlowData(flow.flowData), components))
  } catch (error) {
    notify.error(`Failed to export: ${error instanceof ApiError ? error.message : 'Internal Server Error'}`)
  }
}

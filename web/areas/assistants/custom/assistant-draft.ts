/** An open custom assistant and its saves. Each save names the version it is based on, so that no newer one is overwritten. */
import { proxy } from 'valtio'
import type { Assistant } from '#contract/assistants/assistants.ts'
import type { Chatflow } from '#contract/chatflows/chatflows.ts'
import { parseFlow } from '#contract/flow/document/parse.ts'
import { AGENT } from '#contract/flow/kinds/agentflow/nodes.ts'
import {
  type CustomDetails,
  MAX_STARTERS,
  readCustomDetails,
  toAgentInputs,
  withChoices,
} from '#contract/flow/kinds/assistant/details.ts'
import { isConflict } from '../../../api/errors.ts'
import { queryClient } from '../../../api/query.ts'
import { followStored, type StoredDraft, storedDraft } from '../../../builder/draft.ts'
import { versionQuery } from '../../../builder/versions/queries.ts'
import { readCustom, saveCustom } from '../queries.ts'

/** Values that the page edits. */
export interface Fields {
  name: string
  /** The Agent node's model and tools, and the instructions. */
  inputs: Record<string, unknown>
  /** One per line. */
  starters: string
}

export interface AssistantDraft extends StoredDraft {
  id: string
  form: {
    fields: Fields
    /** As they are stored. */
    saved: Fields
    /** What is stored besides. */
    rest: CustomDetails
  }
}

export function openAssistant({ assistant, flow }: { assistant: Assistant; flow: Chatflow }): AssistantDraft {
  const details = readCustomDetails(assistant.details)
  const fields = fieldsOf(details)
  return { id: assistant.id, ...storedDraft(flow), form: proxy({ fields, saved: fields, rest: details }) }
}

export const hasChanges = ({ form }: AssistantDraft): boolean =>
  JSON.stringify(form.fields) !== JSON.stringify(form.saved)

export function fieldsOf(details: CustomDetails): Fields {
  const { agentMessages: _, ...choices } = toAgentInputs(details)
  const inputs = { ...choices, instruction: details.instruction }
  return { name: details.name, inputs, starters: details.starterPrompts.join('\n') }
}

/** Returns the details that the fields say; everything else stays as it was. */
export function detailsOf({ name, inputs, starters }: Fields, rest: CustomDetails): CustomDetails {
  return {
    ...withChoices(rest, inputs),
    name: name.trim(),
    instruction: String(inputs.instruction ?? ''),
    starterPrompts: linesOf(starters),
  }
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** Returns messages by field. */
export function problemsOf({ name, starters }: Fields): { name?: string; starters?: string } {
  const lines = linesOf(starters)
  return {
    ...(name.trim() === '' && { name: 'Enter a name.' }),
    ...(lines.length > MAX_STARTERS && { starters: `Enter at most ${MAX_STARTERS} questions.` }),
    ...(lines.some((line) => line.length > 500) && { starters: 'A question may have 500 characters.' }),
  }
}

/** Returns 'conflict' when the server has a newer version. Throws ApiError. */
export async function saveAssistant(draft: AssistantDraft, mayOverwrite = false): Promise<'saved' | 'conflict'> {
  const { id, form, state } = draft
  const { fields } = form
  const details = detailsOf(fields, form.rest)
  state.saving = true
  try {
    const flow = await saveCustom(id, details, mayOverwrite ? undefined : state.version)
    Object.assign(form, { saved: fields, rest: details })
    followStored(draft, flow)
    return 'saved'
  } catch (error) {
    if (!isConflict(error)) throw error
    state.conflict = Number(error.body.currentVersion)
    return 'conflict'
  } finally {
    state.saving = false
  }
}

/**
 * Saves the model, tools, stores and instructions of an earlier version again. The name and the starter questions are
 * not part of versions and stay as they are stored. Returns as `saveAssistant`, and throws ApiError.
 */
export async function restoreVersion(draft: AssistantDraft, version: number): Promise<'saved' | 'conflict'> {
  const { flowData } = await queryClient.fetchQuery(versionQuery(draft.id, version))
  draft.form.fields = withVersion(draft.form.saved, flowData)
  return saveAssistant(draft)
}

/** Returns the fields with what the flow of a version says. Throws when it has no agent. */
export function withVersion(fields: Fields, flowData: string): Fields {
  const opened = parseFlow(flowData)
  const agent = opened.ok ? opened.flow.nodes.find(({ data }) => data.name === AGENT) : undefined
  if (!agent) throw new Error('This version can’t be read.')
  const { agentMessages, ...given } = agent.data.inputs ?? {}
  const [message] = Array.isArray(agentMessages) ? agentMessages : []
  const names = Object.keys(fields.inputs).filter((name) => name !== 'instruction')
  const choices = Object.fromEntries(['agentModelConfig', ...names].map((name) => [name, given[name]]))
  return { ...fields, inputs: { ...choices, instruction: String(message?.content ?? '') } }
}

/** Replaces the fields with what is stored. */
export async function loadStored(draft: AssistantDraft): Promise<void> {
  const stored = await readCustom(draft.id)
  Object.assign(draft.form, openAssistant(stored).form)
  followStored(draft, stored.flow)
}

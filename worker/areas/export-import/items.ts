/** Decides for each item of a file whether it is added, replaces what the workspace has, or is skipped. Pure. */
import { parseFlowData } from '#contract/chatflows/chatflows.ts'
import { canonicalJson } from '#contract/data/json.ts'
import { HeddleError } from '#contract/errors.ts'
import type { BundleRow, Choice, ImportedItem, ItemKey } from '#contract/export-import/export-import.ts'
import { exportFlow } from '#contract/flow/document/serialize.ts'
import type { FlowType } from '#contract/flow/flow-types.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'

/** The workspace's row with the item's id, or with its name for a variable. */
export interface Existing {
  key: ItemKey
  /** The type of a flow. */
  type?: FlowType
  id: string
  /** As `contentOf` returns it. */
  content: string | undefined
  /** True when it may not be replaced: its value would be lost, or a job works on it. */
  isKept?: boolean
}

interface Candidate<Row = BundleRow> {
  key: ItemKey
  /** The type of a flow. */
  type?: FlowType
  /** The row with valid columns. */
  row: Row
  id: string
  name: string
  content: string | undefined
  existing: Existing | undefined
  needs?: string | undefined
}

/** Returns a text that is equal for items with the same content; `callers` and dates are not part of it. */
export function contentOf(item: object): string | undefined {
  const { id, workspaceId, callers, createdDate, updatedDate, credential, ...content } = item as Record<string, unknown>
  return canonicalJson(content)
}

interface ComparedFlow {
  name: string
  flowData: string
  sources: readonly { name: string; digest: string }[]
}

/** Returns undefined for a flow that cannot be read. */
export function flowContent({ name, flowData, sources }: ComparedFlow, components: readonly ComponentDefinition[]) {
  const digests = Object.fromEntries(sources.map(({ name: file, digest }) => [file, digest]))
  try {
    return contentOf({ name, flow: exportFlow(parseFlowData(flowData), components), sources: digests })
  } catch {
    return undefined
  }
}

export interface Decided<Row = BundleRow> extends Candidate<Row> {
  item: ImportedItem
}

/** A row to write: a new one, or the values of the one that has the id. */
export type Planned<Row> = Omit<Row, 'id'> & { id: string; isReplacing: boolean }

/** Throws `bad_request` that names a choice which is not possible. */
export function decide<Row>(candidate: Candidate<Row>, chosen: Readonly<Record<string, Choice>>): Decided<Row> {
  const { key, type, id, name, needs } = candidate
  const found = findingOf(candidate)
  const choices = choicesOf(candidate, found)
  const place = `${key}/${id}`
  const wanted = id !== '' && Object.hasOwn(chosen, place) ? chosen[place] : undefined
  if (wanted && !choices.includes(wanted)) {
    throw new HeddleError('bad_request', `choices.${place}: Choose ${choices.join(' or ')}`, {
      field: `choices.${place}`,
    })
  }
  const choice = wanted ?? (found === 'same' || !choices.includes('new') ? 'skip' : 'new')
  const open = choice !== 'skip' && needs !== undefined && found === 'none' ? { needs } : {}
  return { ...candidate, item: { key, ...(type && { type }), id, name, found, choice, choices, ...open } }
}

function findingOf({ content, existing }: Candidate<unknown>): ImportedItem['found'] {
  if (!existing) return 'none'
  return content !== undefined && existing.content === content ? 'same' : 'different'
}

/** Names of variables are unique, so one with a known name cannot be added. */
function choicesOf({ key, type, existing }: Candidate<unknown>, found: ImportedItem['found']): Choice[] {
  if (!existing) return ['new', 'skip']
  const isReplaceable = found === 'different' && existing.key === key && existing.type === type && !existing.isKept
  return [...(key === 'Variable' ? [] : (['new'] as const)), ...(isReplaceable ? (['replace'] as const) : []), 'skip']
}

/** Parses stored, imported and pasted flows. */
import { isColor } from '../../data/color.ts'
import { isTooDeep, tryParseJson } from '../../data/json.ts'
import { checkDocument } from './check-document.ts'
import type { FlowDocument, FlowNode } from './document.ts'

export const INVALID_IMPORTED_FILE = 'Invalid Imported File'

type ParsedFlow =
  | {
      ok: true
      flow: FlowDocument
      /** What was left out of a node and why, by the node's id: sentences for a person. */
      dropped: ReadonlyMap<string, string>
    }
  | { ok: false; message: string; path: string }

/**
 * Parses a flow (an object or JSON text). Keeps unknown content, clears the selection and drops colors that are not
 * `#rrggbb`, which styles would take: `dropped` says of which nodes. Errors name the place:
 * `nodes.0.data.name: ...`.
 */
export function parseFlow(source: unknown): ParsedFlow {
  const value = typeof source === 'string' ? tryParseJson(source) : source
  if (value === undefined) return { ok: false, message: 'The flow is not valid JSON.', path: '' }
  if (isTooDeep(value)) return { ok: false, message: 'The flow is nested too deeply.', path: '' }
  const issue = checkDocument(value)
  if (issue) {
    const path = issue.path.join('.')
    return { ok: false, message: `${path || 'flow'}: ${issue.message}`, path }
  }
  const flow = value as FlowDocument
  const twice = repeatedId('nodes', flow.nodes) ?? repeatedId('edges', flow.edges)
  if (twice) return { ok: false, message: `${twice.path}: The id ${twice.id} is used twice.`, path: twice.path }
  const dropped = new Map(flow.nodes.filter(hasForeignColor).map(({ id }) => [id, NOT_A_COLOR]))
  return { ok: true, flow: { ...flow, nodes: flow.nodes.map(cleanNode) }, dropped }
}

/**
 * Parses a file chosen for import: a flow, or one exported entry with `flowData`. Accepts .json files only. Every error
 * is `Invalid Imported File`, with the reason beside it.
 */
export function parseImportedFlow(fileName: string, text: string): ParsedFlow & { reason?: string } {
  if (!fileName.toLowerCase().endsWith('.json')) {
    return { ok: false, message: INVALID_IMPORTED_FILE, path: '', reason: 'Only .json files can be imported.' }
  }
  const value = tryParseJson(text)
  const opened = parseFlow(hasFlowData(value) ? value.flowData : (value ?? ''))
  return opened.ok ? opened : { ...opened, message: INVALID_IMPORTED_FILE, reason: importReason(opened) }
}

/** What is wrong with a file, for whoever chose it. */
function importReason({ message, path }: Extract<ParsedFlow, { ok: false }>): string {
  if (!message.includes(': Invalid input')) return message
  if (path === '') return 'This isn’t a flow file.'
  return path === 'nodes' || path === 'edges'
    ? `This isn’t a flow file: it has no “${path}” list.`
    : `${path} is missing or of the wrong type.`
}

function hasFlowData(value: unknown): value is { flowData: unknown } {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'flowData')
}

function repeatedId(list: string, items: readonly { id: string }[]): { id: string; path: string } | undefined {
  const seen = new Set<string>()
  for (const [index, { id }] of items.entries()) {
    if (seen.has(id)) return { id, path: `${list}.${index}.id` }
    seen.add(id)
  }
  return undefined
}

const NOT_A_COLOR = 'Its color was not taken: a color is #rgb or #rrggbb, nothing else.'

const hasForeignColor = ({ data: { color } }: FlowNode) => color !== undefined && color !== '' && !isColor(color)

function cleanNode(node: FlowNode): FlowNode {
  const data = { ...node.data, label: node.data.label ?? '', ...(node.data.selected ? { selected: false } : {}) }
  if (data.color !== undefined && !isColor(data.color)) delete data.color
  return { ...node, ...(node.selected ? { selected: false } : {}), data }
}

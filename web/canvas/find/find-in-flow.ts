/** Finds texts in the nodes of a flow. */

import type { FlowDocument, FlowNode } from '#contract/flow/document/document.ts'
import { typeLabel } from '../surface/node-labels.ts'

interface Match {
  nodeId: string
  /** The node's name. */
  label: string
  /** What holds the text: "Name", "Type", or an input's label. */
  where: string
  /** The text around the match, on one line. */
  excerpt: string
}

/** Returns one match for each node, in the order of the flow: its name first, then its type, then its inputs. */
export function findInFlow({ nodes }: FlowDocument, query: string): Match[] {
  const text = query.trim().toLowerCase()
  if (text === '') return []
  return nodes.flatMap((node) => {
    for (const [where, value] of listTexts(node)) {
      const at = value.toLowerCase().indexOf(text)
      if (at >= 0)
        return [{ nodeId: node.id, label: node.data.label, where, excerpt: excerptOf(value, at, text.length) }]
    }
    return []
  })
}

function* listTexts({ data }: FlowNode): Generator<[where: string, text: string]> {
  yield ['Name', data.label]
  yield ['Type', typeLabel(data)]
  const labels = new Map((data.inputParams ?? []).map((param) => [param.name, param.label]))
  for (const [name, value] of Object.entries(data.inputs ?? {})) {
    const label = labels.get(name)
    for (const text of textsIn(value)) yield [typeof label === 'string' ? label : name, text]
  }
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'number') yield String(value)
  else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) yield* textsIn(each)
}

const BEFORE = 16
const LENGTH = 60

function excerptOf(text: string, at: number, length: number): string {
  const from = Math.max(0, at - BEFORE)
  const to = Math.min(text.length, Math.max(from + LENGTH, at + length))
  const middle = text.slice(from, to).replaceAll(/\s+/g, ' ').trim()
  return `${from > 0 ? '…' : ''}${middle}${to < text.length ? '…' : ''}`
}

/** Files that a save kept: the server's answer names them where the canvas still holds their bytes. */
import type { FlowDocument, FlowNode } from '#contract/flow/document/document.ts'

/** Returns what replaces those inputs of a flow that were sent as files and are still the same. */
export function settleUploads(sent: FlowDocument, saved: FlowDocument): (flow: FlowDocument) => FlowDocument {
  const before = new Map(sent.nodes.map(({ id, data }) => [id, data.inputs ?? {}]))
  const kept = new Map(
    saved.nodes.flatMap(({ id, data }) => {
      const files = Object.entries(data.inputs ?? {}).filter(
        ([name, value]) => isStored(value) && before.get(id)?.[name] !== value,
      )
      return files.length > 0 ? [[id, files] as const] : []
    }),
  )
  return (flow) => (kept.size === 0 ? flow : { ...flow, nodes: flow.nodes.map(follow) })

  function follow(node: FlowNode): FlowNode {
    const sentInputs = before.get(node.id)
    const files = kept.get(node.id)?.filter(([name]) => node.data.inputs?.[name] === sentInputs?.[name]) ?? []
    if (files.length === 0) return node
    return { ...node, data: { ...node.data, inputs: { ...node.data.inputs, ...Object.fromEntries(files) } } }
  }
}

const isStored = (value: unknown) => typeof value === 'string' && value.startsWith('FILE-STORAGE::')

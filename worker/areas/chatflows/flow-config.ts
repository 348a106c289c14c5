/** Lists the inputs of all nodes by their names in `overrideConfig`, so that owners can choose which ones callers may override. */
import type { OverridableInput } from '#contract/chatflows.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { isStickyNote } from '#contract/flow/document/sticky-note.ts'
import type { InputParam } from '#contract/flow/params/definition.ts'
import { paramsOf } from '#contract/flow/params/params.ts'
import { componentDefinitions } from '../../nodes/catalogue.ts'

export function flowConfig(flow: FlowDocument): OverridableInput[] {
  const known = new Map(componentDefinitions().map(({ name, inputs }) => [name, inputs]))
  return flow.nodes
    .filter(({ data }) => !isStickyNote(data))
    .flatMap((node) =>
      overridable(known.get(node.data.name) ?? paramsOf(node)).map(({ label, name, type, array }) => ({
        node: node.data.label,
        nodeId: node.id,
        label,
        name,
        type,
        ...(array ? { schema: Object.fromEntries(array.map((item) => [item.name, item.type])) } : {}),
      })),
    )
}

/** Keeps the first of inputs with the same name, and leaves out credentials, which only the owner chooses. */
function overridable(params: readonly InputParam[]): InputParam[] {
  const byName = new Map(params.toReversed().map((param) => [param.name, param]))
  return [...byName.values()].toReversed().filter(({ type }) => type !== 'credential')
}

/** What a caller may be allowed to override: every input of every node, as `overrideConfig` names it. */
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
      distinct(known.get(node.data.name) ?? paramsOf(node)).map(({ label, name, type, array }) => ({
        node: node.data.label,
        nodeId: node.id,
        label,
        name,
        type,
        ...(array ? { schema: Object.fromEntries(array.map((item) => [item.name, item.type])) } : {}),
      })),
    )
}

/** Of inputs that share a name the first; a credential is chosen by the owner alone. */
function distinct(params: readonly InputParam[]): InputParam[] {
  const byName = new Map(params.toReversed().map((param) => [param.name, param]))
  return [...byName.values()].toReversed().filter(({ type }) => type !== 'credential')
}

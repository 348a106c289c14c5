/** Lists the inputs of all nodes by their names in `overrideConfig`, so that owners can choose which ones callers may override. */
import type { OverridableInput } from '#contract/chatflows/chatflows.ts'
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
      overridableInputs({ id: node.id, label: node.data.label }, known.get(node.data.name) ?? paramsOf(node)),
    )
}

/** Keeps the first of inputs with the same name, and leaves out credentials, which only the owner chooses. */
export function overridableInputs(
  { id, label: node }: { id: string; label: string },
  params: readonly InputParam[],
): OverridableInput[] {
  const byName = new Map(params.toReversed().map((param) => [param.name, param]))
  const kept = [...byName.values()].toReversed().filter(({ type }) => type !== 'credential')
  return kept.map(({ label, name, type, array }) => ({
    ...{ node, nodeId: id, label, name, type },
    ...(array ? { schema: Object.fromEntries(array.map((item) => [item.name, item.type])) } : {}),
  }))
}

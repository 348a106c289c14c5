/** Which flows the lists of an export hold: a fact of each kind. */

import type { FlowItem, FlowKey } from '#contract/export-import/export-import.ts'
import type { FlowType } from '#contract/flow/flow-types.ts'
import { KIND_FACTS } from '#contract/flow/kinds/facts.ts'

const KINDS = Object.values(KIND_FACTS)

export const typesOfList = (key: FlowKey): FlowType[] =>
  KINDS.filter(({ bundleKey }) => bundleKey === key).map(({ type }) => type)

/** Returns the type that a flow names, if its list holds such flows, or the first of the list: Flowise's files may name none. */
export function typeOfItem(key: FlowKey, { type }: Pick<FlowItem, 'type'>): FlowType {
  const types = typesOfList(key)
  return types.find((each) => each === type) ?? (types[0] as FlowType)
}

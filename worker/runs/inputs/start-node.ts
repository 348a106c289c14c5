/** The rules that a flow's start node sets for calls. */
import type { FlowDocument } from '#contract/flow/document/document.ts'
import type { FlowKind } from '#contract/flow/kinds/types.ts'

export interface StartRules {
  id: string
  inputType: string
  persistState: boolean
  /** Keys of the flow state. */
  stateKeys: string[]
  label: string
}

export function startRules(document: FlowDocument, kind: FlowKind): StartRules {
  const node = kind.startNode(document)
  const data = node?.data
  const inputs = data?.inputs ?? {}
  return {
    id: node?.id ?? '',
    inputType: typeof inputs.startInputType === 'string' ? inputs.startInputType : 'chatInput',
    persistState: inputs.startPersistState === true || inputs.startPersistState === 'true',
    stateKeys: keysOf(inputs.startState),
    label: data?.label ?? '',
  }
}

function keysOf(state: unknown): string[] {
  if (!Array.isArray(state)) return []
  return state.map((item: { key?: unknown } | null) => item?.key).filter((key) => typeof key === 'string')
}

/** The choices that a parameter of the canvas loads (`loadMethod`). An unknown method has none. */
import type { ComponentDefinition, ParamOption } from '#contract/flow/definition.ts'
import { definitionsIn, MODEL_CATEGORY, TOOL_CATEGORY } from './catalogue.ts'

/** A node of the canvas as it is sent along: those above the one that asks. */
export interface CanvasNode {
  id?: string
  name?: string
  label?: string
  inputs?: Record<string, unknown>
}

type LoadMethod = (previousNodes: CanvasNode[]) => ParamOption[]

const methods: Record<string, LoadMethod> = {
  listModels: () => definitionsIn(MODEL_CATEGORY).map(optionOf),
  listTools: () => definitionsIn(TOOL_CATEGORY).map(optionOf),
  listRuntimeStateKeys: (previousNodes) => previousNodes.flatMap(stateKeys).map((key) => ({ label: key, name: key })),
  listPreviousNodes: (previousNodes) =>
    previousNodes.map(({ id = '', label = '' }) => ({ label, name: `${id}-${label}`, description: id })),
}

export function loadOptions(method: string, previousNodes: CanvasNode[]): ParamOption[] {
  return Object.hasOwn(methods, method) ? (methods[method] as LoadMethod)(previousNodes) : []
}

const optionOf = ({ label, name, description }: ComponentDefinition): ParamOption => ({ label, name, description })

function stateKeys({ name, inputs }: CanvasNode): string[] {
  if (name !== 'startAgentflow' || !Array.isArray(inputs?.startState)) return []
  return inputs.startState.map((entry: { key?: unknown } | null) => entry?.key).filter((key) => typeof key === 'string')
}

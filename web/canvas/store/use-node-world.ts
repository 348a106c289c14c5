import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { FlowDocument, FlowNode } from '#contract/flow/document/document.ts'
import { loopBackValue, loopChoices } from '#contract/flow/kinds/agentflow/loop.ts'
import { kindOfDocument } from '#contract/flow/kinds/index.ts'
import type { ComponentDefinition, InputParam, ParamOption } from '#contract/flow/params/definition.ts'
import { variableSuggestions } from '#contract/flow/references/suggestions.ts'
import { upstreamFinder } from '#contract/flow/references/upstream.ts'
import { api } from '../../api/client.ts'
import { keys } from '../../api/query.ts'
import { useCan } from '../../api/use-can.ts'
import type { InputWorld, WorldNode } from '../../inputs/types.ts'
import type { Canvas } from './store.ts'

/** What the inputs of one node may choose from and refer to. */
export function useNodeWorld(canvas: Canvas, node: FlowNode | undefined, flowId?: string): InputWorld {
  const maySeeVariables = useCan()('variables:view')
  const { data: variables } = useQuery({
    queryKey: keys.list('variables'),
    queryFn: () => api.get<{ name: string }[]>('/variables', undefined, { background: true }),
    enabled: maySeeVariables,
  })
  const id = node?.id ?? ''
  const owner = node?.data.name ?? ''
  return useMemo(
    () => ({
      owner,
      flowId,
      node: () => canvas.state.flow.nodes.filter((each) => each.id === id).map(asWorldNode)[0],
      previousNodes: () => nodesBefore(canvas.state.flow, id).map(asWorldNode),
      component: (name) => canvas.definitions.get(name),
      knownOptions: (param) => knownOptions(canvas, param, id),
      suggestions: (param) =>
        variableSuggestions(canvas.state.flow, id, { param, ...(variables ? { variables } : {}) }),
    }),
    [canvas, id, owner, flowId, variables],
  )
}

const TOOL_CATEGORIES = ['Tools', 'Tools (MCP)']

function knownOptions({ definitions, state }: Canvas, param: InputParam, nodeId: string): ParamOption[] | undefined {
  const lists: Partial<Record<string, () => ParamOption[]>> = {
    listModels: () => ofCategory(definitions, 'Chat Models'),
    listTools: () => TOOL_CATEGORIES.flatMap((category) => ofCategory(definitions, category)),
    listRuntimeStateKeys: () =>
      kindOfDocument(state.flow)
        .declaredValues(state.flow)
        .state.map((key) => ({ label: key, name: key })),
    listPreviousNodes: () => loopChoices(state.flow, nodeId).map(asLoopTarget),
  }
  const list = lists[param.loadMethod ?? '']
  return list?.()
}

const ofCategory = (definitions: Canvas['definitions'], category: string): ParamOption[] =>
  [...definitions.values()].filter((each) => each.category === category).map(asOption)

const asOption = ({ label, name, description }: ComponentDefinition): ParamOption => ({ label, name, description })

const asLoopTarget = (node: FlowNode): ParamOption => ({
  label: node.data.label,
  name: loopBackValue(node),
  description: node.id,
})

const asWorldNode = ({ id, data }: FlowNode): WorldNode => ({
  id,
  name: data.name,
  label: data.label,
  inputs: data.inputs ?? {},
})

function nodesBefore(flow: FlowDocument, nodeId: string): FlowNode[] {
  const before = upstreamFinder(flow).idsOf(nodeId)
  return flow.nodes.filter((node) => before.has(node.id) && node.id !== nodeId)
}

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { FlowNode } from '#contract/flow/document/document.ts'
import type { InputParam } from '#contract/flow/params/definition.ts'
import { variableSuggestions } from '#contract/flow/references/suggestions.ts'
import { upstreamFinder } from '#contract/flow/references/upstream.ts'
import { api } from '../../api/client.ts'
import { keys } from '../../api/query.ts'
import { useCan } from '../../api/use-can.ts'
import { componentOptions } from '../../inputs/component-options.ts'
import type { FormNode, InputEnvironment } from '../../inputs/types.ts'
import type { Canvas } from '../store/store.ts'
import { nodeNames } from '../surface/node-labels.ts'

/** Returns everything that the inputs of one node can offer and refer to. */
export function useNodeEnvironment(canvas: Canvas, node: FlowNode | undefined, flowId?: string): InputEnvironment {
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
      node: () => canvas.state.flow.nodes.filter((each) => each.id === id).map(toFormNode)[0],
      previousNodes: () => nodesBefore(canvas, id).map(toFormNode),
      component: (name) => canvas.definitions.get(name),
      knownOptions: (param) => knownOptions(canvas, param, id),
      nodeNames: () => nodeNames(canvas.state.flow),
      suggestions: (param) =>
        variableSuggestions(canvas.state.flow, id, { param, kind: canvas.kind.flow, ...(variables && { variables }) }),
    }),
    [canvas, id, owner, flowId, variables],
  )
}

/** Returns the choices that need no request, undefined for other load methods. */
function knownOptions({ definitions, state, kind }: Canvas, param: InputParam, nodeId: string) {
  return componentOptions(definitions.values(), param) ?? kind.options[param.loadMethod ?? '']?.(state.flow, nodeId)
}

const toFormNode = ({ id, data }: FlowNode): FormNode => ({
  id,
  name: data.name,
  label: data.label,
  inputs: data.inputs ?? {},
})

function nodesBefore({ state: { flow }, kind }: Canvas, nodeId: string): FlowNode[] {
  const before = upstreamFinder(flow, kind.flow).idsOf(nodeId)
  return flow.nodes.filter((node) => before.has(node.id) && node.id !== nodeId)
}

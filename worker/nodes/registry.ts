/** Looks up node types and components by the name that flows store. */
import type { InputParam } from '#contract/flow/params/definition.ts'
import { knowledgeComponents } from '../knowledge/index.ts'
import { models } from '../models/index.ts'
import { tools } from '../tools/index.ts'
import { componentNodes } from './chatflow/registry.ts'
import { nodes } from './index.ts'
import type { ComponentNodeType, NodeType } from './types.ts'

const componentNodeTypes = new Map<string, ComponentNodeType>(
  componentNodes.map((node) => [node.definition.name, node]),
)
const nodeTypes = new Map(nodes.map((node) => [node.definition.name, node]))
const listedComponents = new Map(
  [...models, ...tools, ...knowledgeComponents].map(({ definition }) => [definition.name, definition]),
)

function findNodeType(name: string): NodeType | undefined {
  return nodeTypes.get(name)
}

/** The lookups that the engine's compiler needs. */
export const catalogue = {
  node: findNodeType,
  component: (name: string) => componentNodeTypes.get(name),
  componentInputs: (name: string): InputParam[] | undefined => listedComponents.get(name)?.inputs,
}

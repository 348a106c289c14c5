/** Looks up node types and components by the name that flows store. */
import type { InputParam } from '#contract/flow/params/definition.ts'
import { knowledgeComponents } from '../knowledge/index.ts'
import { models } from '../models/index.ts'
import { tools } from '../tools/index.ts'
import { parts } from './chatflow/parts.ts'
import { nodes } from './index.ts'
import type { NodeType, PartType } from './types.ts'

const partTypes = new Map<string, PartType>(parts.map((part) => [part.definition.name, part]))
const nodeTypes = new Map(nodes.map((node) => [node.definition.name, node]))
const components = new Map(
  [...models, ...tools, ...knowledgeComponents].map(({ definition }) => [definition.name, definition]),
)

function findNodeType(name: string): NodeType | undefined {
  return nodeTypes.get(name)
}

/** The lookups that the engine's compiler needs. */
export const catalogue = {
  node: findNodeType,
  part: (name: string) => partTypes.get(name),
  componentInputs: (name: string): InputParam[] | undefined => components.get(name)?.inputs,
}

import { chakra } from '@chakra-ui/react'
import { parseStepPath } from '#contract/runs/step-paths.ts'
import { NodeIcon } from '../../ui/NodeIcon.tsx'

/** The icon of a step's node, whose id begins with its type: `agentAgentflow_0`. */
export function StepIcon({ path, size = 16 }: { path: string; size?: number }) {
  return (
    <chakra.span flex="none" display="inline-grid" color="fg.muted">
      <NodeIcon name={parseStepPath(path).nodeId.replace(/_\d+$/, '')} size={size} />
    </chakra.span>
  )
}

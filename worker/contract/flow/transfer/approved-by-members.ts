/** Finds agents whose tools members approve because their file does not say who does, as files of Flowise never do. */
import { isRecord } from '../../data/json.ts'
import type { FlowDocument, FlowNode } from '../document/document.ts'
import { AGENT } from '../kinds/agentflow/nodes.ts'
import { isBlank } from '../params/blank.ts'
import { listed } from './left-out.ts'

/** Returns at most one note. In Flowise, whoever asked approves. */
export function approvedByMembers({ nodes }: FlowDocument): string[] {
  const names = nodes.filter(isUndecided).map(({ id, data }) => data.label || id)
  if (names.length === 0) return []
  return [
    `Tools that require human input are approved by members of the workspace, not by the caller. Change Approvers to let callers approve: ${listed(names)}`,
  ]
}

function isUndecided({ data: { name, inputs = {} } }: FlowNode): boolean {
  if (name !== AGENT || !isBlank(inputs.agentApprovers)) return false
  return Array.isArray(inputs.agentTools) && inputs.agentTools.some(requiresApproval)
}

function requiresApproval(tool: unknown): boolean {
  if (!isRecord(tool) || isBlank(tool.agentSelectedTool)) return false
  return [true, 'true'].includes(tool.agentSelectedToolRequiresHumanInput as string | boolean)
}

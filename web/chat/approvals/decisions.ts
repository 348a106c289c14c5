/** Finds which messages of a stored conversation are decisions. Pure. */
import type { Approval } from '#contract/runs/approvals.ts'

interface ChatMessage {
  role: 'userMessage' | 'apiMessage'
  content: string
  executionId?: string | null
  execution?: { approvals?: Approval[] } | null
}

/**
 * Returns the approval that a user's message stands for, if any. A run's first message is its question, and each later
 * one an answer. They are counted from the end, since the first messages may have been left out.
 */
export function findDecision(message: ChatMessage, later: readonly ChatMessage[]): Approval | undefined {
  const approvals = message.execution?.approvals ?? []
  const after = later.filter(({ role, executionId }) => role === 'userMessage' && executionId === message.executionId)
  const approval = approvals[approvals.length - 1 - after.length]
  if (!approval) return undefined
  const { answer, mapping } = approval
  const label = answer.type === 'proceed' ? mapping.approve : mapping.reject
  return message.content === (answer.feedback?.trim() || label) ? approval : undefined
}

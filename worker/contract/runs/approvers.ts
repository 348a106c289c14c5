/** Who may answer the questions of a run. Pure. */
import type { HumanInputAction, HumanInputQuestion } from './events.ts'

/**
 * - `caller`: whoever may answer the run's conversation, anonymous callers and readers of a shared run included
 * - `members`: signed-in members who may view the flow, and API keys that may
 * - `role`: members with the role that the question names, and admins; only admins once there is no such role
 */
type Approvers = { kind: 'caller' } | { kind: 'members' } | { kind: 'role'; role: string }

/** The standing in the flow's workspace of somebody who answers. */
export interface Standing {
  isMember: boolean
  isAdmin: boolean
  /** Names of the person's roles. */
  roles: readonly string[]
}

export const OUTSIDER: Standing = { isMember: false, isAdmin: false, roles: [] }

/** Returns who may answer. Questions of earlier versions do not say it: members answer those about tools. */
export function approversOf({ approvers, approverRole, toolCalls }: HumanInputQuestion): Approvers {
  const kind = approvers ?? (toolCalls === undefined ? 'caller' : 'members')
  if (kind !== 'role') return { kind }
  return { kind, role: approverRole?.trim() ?? '' }
}

/** Admins answer for every role, so that nobody waits for a role that nobody has. */
export function mayAnswer(approvers: Approvers, { isMember, isAdmin, roles }: Standing): boolean {
  if (approvers.kind === 'caller') return true
  if (!isMember || approvers.kind === 'members') return isMember
  return isAdmin || roles.includes(approvers.role)
}

/** Returns who a run waits for: `the team`, or `Finance` for a role. */
export const waitedFor = (approvers: Approvers): string =>
  approvers.kind === 'role' ? approvers.role || 'an admin' : 'the team'

/** Returns what follows a question for somebody who may not answer it; empty for others. */
export function waitingNote({ data: { input } }: HumanInputAction, standing = OUTSIDER): string {
  const approvers = approversOf(input)
  return mayAnswer(approvers, standing) ? '' : `Waiting for ${waitedFor(approvers)} to approve.`
}

/** Returns a setting of a node as a question has it. An unknown value means members. */
export function askedOf(
  approvers: unknown,
  { role, byDefault }: { role: unknown; byDefault: 'caller' | 'members' },
): Pick<HumanInputQuestion, 'approvers' | 'approverRole'> {
  if (approvers === undefined || approvers === '') return { approvers: byDefault }
  if (approvers === 'caller') return { approvers }
  if (approvers !== 'role') return { approvers: 'members' }
  return { approvers, approverRole: typeof role === 'string' ? role.trim() : '' }
}

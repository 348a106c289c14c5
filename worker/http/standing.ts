/** What members are to the questions of runs. */
import type { Standing } from '#contract/runs/approvers.ts'
import type { Member } from './route.ts'

/** Returns the standing of a member. API keys have no roles. */
export function memberStanding(member?: Member): Standing {
  if (member?.kind !== 'user') return { isMember: true, isAdmin: false, roles: [] }
  return { isMember: true, isAdmin: member.isOrganizationAdmin, roles: member.roles }
}

import { useSnapshot } from 'valtio'
import type { Standing } from '#contract/runs/approvers.ts'
import { session } from './session.ts'

/** Returns what the signed-in member is to the questions of runs in the active workspace. */
export function useStanding(): Standing {
  const { isAuthenticated, isGlobal, user } = useSnapshot(session)
  // A session that an earlier version stored has no roles.
  return { isMember: isAuthenticated, isAdmin: isGlobal, roles: user?.roles ?? [] }
}

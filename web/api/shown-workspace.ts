/**
 * The workspace that this tab shows. The session's active one changes when another tab switches, or when somebody deletes
 * it: this tab then stays with what it shows, and every call of it is refused until the person decides.
 */
import { proxy } from 'valtio/vanilla'
import type { ErrorBody } from './errors.ts'
import { session } from './session.ts'

interface ShownWorkspace {
  userId: string
  id: string
}

/** `refused`: the server said that another one is active. */
export const shownWorkspace = proxy<{ of: ShownWorkspace | null; refused: { id: string; name: string } | null }>({
  of: null,
  refused: null,
})

/** A page behind sign-in begins: it shows the active workspace, as all pages of this tab do from then on. */
export function beginShowing(): void {
  const { user } = session
  if (!user || shownWorkspace.of?.userId === user.id) return
  showWorkspace(user.id, user.activeWorkspaceId)
}

export function showWorkspace(userId: string, id: string): void {
  shownWorkspace.of = { userId, id }
  shownWorkspace.refused = null
}

/** Returns the workspace that calls are meant for; undefined for pages outside. */
export function shownWorkspaceId(): string | undefined {
  const { of } = shownWorkspace
  return of && of.userId === session.user?.id ? of.id : undefined
}

/** Keeps what the server answered a call for another workspace than the active one. */
export function noteRefusal(status: number, { error, activeWorkspaceId, activeWorkspace }: ErrorBody): void {
  if (status !== 409 || error !== 'workspace_switched') return
  shownWorkspace.refused = { id: String(activeWorkspaceId), name: String(activeWorkspace) }
}

/** Calls about the session itself, which no workspace is meant for. */
const OF_SESSION = /^\/(auth\/|account\/logout$|workspaces\/[^/]+\/switch$)/

export const isOfSession = (path: string): boolean => OF_SESSION.test(path)

import { beforeEach, describe, expect, it } from 'vitest'
import { session } from './session.ts'
import {
  beginShowing,
  isOfSession,
  noteRefusal,
  shownWorkspace,
  shownWorkspaceId,
  showWorkspace,
} from './shown-workspace.ts'

const user = (id: string, activeWorkspaceId: string) => ({ id, activeWorkspaceId }) as NonNullable<typeof session.user>

beforeEach(() => {
  session.user = user('u1', 'w1')
  shownWorkspace.of = null
})

describe('the workspace that a tab shows', () => {
  it('is none on pages outside of one', () => expect(shownWorkspaceId()).toBeUndefined())

  it('stays when another tab switches, until this one does', () => {
    beginShowing()
    session.user = user('u1', 'w2')
    beginShowing()
    expect(shownWorkspaceId()).toBe('w1')
    showWorkspace('u1', 'w2')
    expect(shownWorkspaceId()).toBe('w2')
  })

  it('is that of the next person who signs in', () => {
    beginShowing()
    session.user = null
    expect(shownWorkspaceId()).toBeUndefined()
    session.user = user('u2', 'w9')
    expect(shownWorkspaceId()).toBeUndefined()
    beginShowing()
    expect(shownWorkspaceId()).toBe('w9')
  })

  it('keeps what the server answered a call for another one, and no other conflict', () => {
    const body = { error: 'workspace_switched', activeWorkspaceId: 'w2', activeWorkspace: 'Second' }
    noteRefusal(409, { error: 'version_conflict' })
    expect(shownWorkspace.refused).toBeNull()
    noteRefusal(409, body)
    expect(shownWorkspace.refused).toEqual({ id: 'w2', name: 'Second' })
    showWorkspace('u1', 'w2')
    expect(shownWorkspace.refused).toBeNull()
  })
})

it.each([
  ['/auth/me', true],
  ['/auth/refreshToken', true],
  ['/account/logout', true],
  ['/workspaces/w2/switch', true],
  ['/workspaces/w2', false],
  ['/account/profile', false],
  ['/variables', false],
])('%s is about the session itself: %s', (path, expected) => expect(isOfSession(path)).toBe(expected))

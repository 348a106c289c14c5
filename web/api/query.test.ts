// @defends tab-works-workspace
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { invalidate, queryClient } from './query.ts'
import { session } from './session.ts'
import { shownWorkspace } from './shown-workspace.ts'

const user = (id: string, activeWorkspaceId: string) => ({ id, activeWorkspaceId }) as NonNullable<typeof session.user>

let stop: () => void

beforeEach(() => {
  session.user = user('u1', 'w1')
  queryClient.setQueryData(['seen before'], 'of w1')
  const shown = { queryKey: ['shown'], queryFn: () => 'of w1', initialData: 'of w1', staleTime: 60_000 }
  stop = new QueryObserver(queryClient, shown).subscribe(() => {})
})
afterEach(() => {
  stop()
  queryClient.clear()
  session.user = null
  shownWorkspace.refused = null
})

it('drops what it keeps of a workspace as soon as another tab switches, but for what the page shows', () => {
  session.user = user('u1', 'w2')
  expect(queryClient.getQueryData(['seen before'])).toBeUndefined()
  expect(queryClient.getQueryData(['shown'])).toBe('of w1')
})

it('reloads the page when a call is refused because the session moved to another workspace', () => {
  shownWorkspace.refused = { id: 'w2', name: 'Second' }
  expect(queryClient.getQueryData(['seen before'])).toBeUndefined()
})

it('keeps everything while the workspace stays', () => {
  session.user = user('u1', 'w1')
  expect(queryClient.getQueryData(['seen before'])).toBe('of w1')
})

it('drops everything for the next person', () => {
  session.user = user('u2', 'w1')
  expect(queryClient.getQueryData(['seen before'])).toBeUndefined()
  expect(queryClient.getQueryData(['shown'])).toBeUndefined()
})

it('asks again after a change though the first answer is still on its way', async () => {
  const first = Promise.withResolvers<string>()
  const answers = [first.promise, Promise.resolve('after the change')]
  const observer = new QueryObserver(queryClient, { queryKey: ['list'], queryFn: () => answers.shift() ?? '' })
  const unsubscribe = observer.subscribe(() => {})
  const reloaded = invalidate('list')
  first.resolve('before the change')
  await reloaded
  expect(queryClient.getQueryData(['list'])).toBe('after the change')
  unsubscribe()
})

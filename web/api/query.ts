/** The query cache and its keys. */
import { QueryClient } from '@tanstack/react-query'
import { subscribeKey } from 'valtio/utils'
import { isTransient } from './errors.ts'
import { session } from './session.ts'
import { shownWorkspace } from './shown-workspace.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures < 1 && isTransient(error),
      refetchOnWindowFocus: true,
    },
  },
})

/** Keys by area: `keys.list('chatflows')` is refreshed by `invalidate('chatflows')`. */
export const keys = {
  area: (area: string) => [area] as const,
  list: (area: string, filter?: object) => [area, 'list', filter ?? {}] as const,
  one: (area: string, id: string) => [area, 'one', id] as const,
}

/** Invalidates all queries of an area, so that visible ones reload. */
export async function invalidate(area: string): Promise<void> {
  const queryKey = keys.area(area)
  // A first answer that is still on its way may be from before the change, and would count as fresh.
  await queryClient.cancelQueries({ queryKey, type: 'active', predicate: ({ state }) => state.data === undefined })
  await queryClient.invalidateQueries({ queryKey })
}

// Clears the cache for the next user. Not on sign-out, where the leaving page would reload everything and fail.
let owner = session.user?.id
let workspaceId = session.user?.activeWorkspaceId
subscribeKey(
  session,
  'user',
  (user) => {
    if (!user) return
    if (user.id !== owner) queryClient.clear()
    else if (user.activeWorkspaceId !== workspaceId) dropWhatIsNotShown()
    owner = user.id
    workspaceId = user.activeWorkspaceId
  },
  true,
)
subscribeKey(shownWorkspace, 'refused', (refused) => refused && dropWhatIsNotShown(), true)

/**
 * The session went to another workspace, in this tab or in another one. What the page shows stays below the question
 * what to do: it may hold work that is not saved.
 */
function dropWhatIsNotShown(): void {
  queryClient.removeQueries({ type: 'inactive' })
}

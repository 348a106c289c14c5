/** The query cache and its keys. */
import { QueryClient } from '@tanstack/react-query'
import { subscribeKey } from 'valtio/utils'
import { isTransient } from './errors.ts'
import { session } from './session.ts'

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
export function invalidate(area: string): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: keys.area(area) })
}

// Clears the cache for the next user. Not on sign-out, where the leaving page would reload everything and fail.
let owner = session.user?.id
subscribeKey(
  session,
  'user',
  (user) => {
    if (!user || user.id === owner) return
    owner = user.id
    queryClient.clear()
  },
  true,
)

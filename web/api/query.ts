/** Server state: one cache for the whole product, and the names of what is in it. */
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

/** Marks everything of an area as stale, so that what is on screen loads again. */
export function invalidate(area: string): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: keys.area(area) })
}

// What one person has loaded must never be shown to the next. It is cleared when the next one comes and not on
// sign-out, when the page on its way out would load everything again, and be refused.
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

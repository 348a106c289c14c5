/** Separate from `settings.ts`, so that the route guard doesn't load the query library. */
import { useQuery } from '@tanstack/react-query'
import { keys } from './query.ts'
import { loadSettings } from './settings.ts'

/** Returns the settings query. */
export const useSettings = () =>
  useQuery({ queryKey: keys.area('settings'), queryFn: loadSettings, staleTime: Number.POSITIVE_INFINITY })

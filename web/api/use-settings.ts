/** Apart from `settings.ts`, which the route guard needs: no page waits for the query library to be guarded. */
import { useQuery } from '@tanstack/react-query'
import { keys } from './query.ts'
import { loadSettings } from './settings.ts'

/** The settings in a component. */
export const useSettings = () =>
  useQuery({ queryKey: keys.area('settings'), queryFn: loadSettings, staleTime: Number.POSITIVE_INFINITY })

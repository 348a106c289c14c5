import { useQuery } from '@tanstack/react-query'
import type { SetupCheck } from '#contract/account.ts'
import { api } from '../../api/client.ts'
import { keys } from '../../api/query.ts'

/** Whether this installation has its first account, and lets others register. */
export function useSetupCheck() {
  return useQuery({
    queryKey: keys.one('account', 'setup-check'),
    queryFn: () => api.get<SetupCheck>('/account/setup-check'),
    staleTime: 0,
  })
}

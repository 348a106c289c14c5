import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { queryClient } from '../api/query.ts'
import { FullTheme } from '../ui/theme/FullTheme.tsx'
import { ConfirmIdentityHost } from './ConfirmIdentityHost.tsx'

/** Providers that only pages behind sign-in need. */
export function FullProvider({ children }: { children: ReactNode }) {
  return (
    <QueryClientProvider client={queryClient}>
      <FullTheme>
        {children}
        <ConfirmIdentityHost />
      </FullTheme>
    </QueryClientProvider>
  )
}

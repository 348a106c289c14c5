import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { queryClient } from '../api/query.ts'
import { FullTheme } from '../ui/FullTheme.tsx'

/** What the pages behind the sign-in need and the sign-in page need not load. */
export function FullProvider({ children }: { children: ReactNode }) {
  return (
    <QueryClientProvider client={queryClient}>
      <FullTheme>{children}</FullTheme>
    </QueryClientProvider>
  )
}

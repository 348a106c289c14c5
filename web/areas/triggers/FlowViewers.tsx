import { Stack } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { useMaySee } from './access.ts'

/** The pages of triggers have no permission of their own: who may see no flow is told so in their place. */
export function FlowViewers({ children }: { children: ReactNode }) {
  if (useMaySee()) return children
  return (
    <Stack gap="5">
      <PageTitle title="Triggers" />
      <EmptyState
        title="You may not see the flows of this workspace"
        text="Triggers show with their flows. You need the permission agentflows:view: ask an organization admin to grant it."
      />
    </Stack>
  )
}

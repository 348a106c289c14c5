import { Stack } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { describePermissions } from '#contract/access/permissions.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { useCanViewTriggers } from './access.ts'

/** Renders the page for members who can view flows. Triggers have no permission of their own. */
export function RequireFlowAccess({ children }: { children: ReactNode }) {
  if (useCanViewTriggers()) return children
  return (
    <Stack gap="5">
      <PageTitle title="Triggers" />
      <EmptyState
        title="You don’t have access to triggers"
        text={`Triggers belong to flows. Ask an organization admin for the permission ${describePermissions('agentflows:view')}.`}
      />
    </Stack>
  )
}

import { Stack } from '@chakra-ui/react'
import { PageTitle } from '../../ui/PageTitle.tsx'
import RolesPanel from './RolesPanel.tsx'

export function RolesPage() {
  return (
    <Stack gap="6">
      <PageTitle title="Roles" purpose="What people may do in your organization and its workspaces." />
      <RolesPanel />
    </Stack>
  )
}

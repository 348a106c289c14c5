import { Stack } from '@chakra-ui/react'
import { PageTitle } from '../../ui/PageTitle.tsx'
import UsersPanel from './UsersPanel.tsx'

export function UsersPage() {
  return (
    <Stack gap="6">
      <PageTitle title="Users" purpose="The people of your organization, and their roles." />
      <UsersPanel />
    </Stack>
  )
}

import { Stack } from '@chakra-ui/react'
import { PageTitle } from '../../ui/PageTitle.tsx'
import ProfilePanel from './ProfilePanel.tsx'

export function ProfilePage() {
  return (
    <Stack gap="6">
      <PageTitle title="Update profile" purpose="Your name, as others see it." />
      <ProfilePanel />
    </Stack>
  )
}

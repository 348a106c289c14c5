import { Stack } from '@chakra-ui/react'
import { PageTitle } from '../../ui/PageTitle.tsx'
import SignInsPanel from './SignInsPanel.tsx'

export function SignInsPage() {
  return (
    <Stack gap="6">
      <PageTitle title="Login activity" purpose="Who signed in, how, and from where, in the last 90 days." />
      <SignInsPanel />
    </Stack>
  )
}

import { Skeleton, Stack } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { AuthenticatorSection } from './AuthenticatorSection.tsx'
import { EmailSection } from './EmailSection.tsx'
import { PasskeysSection } from './PasskeysSection.tsx'
import { PasswordSection } from './PasswordSection.tsx'
import { securityQuery } from './queries.ts'
import { SessionsSection } from './SessionsSection.tsx'

/** Sign-in methods and sessions of the person. */
export default function SecurityPanel() {
  const { data, error, refetch } = useQuery(securityQuery)
  if (error) return <ErrorState title="Couldn’t load your security settings" text={error.message} onRetry={refetch} />
  if (!data) return <Skeleton h="64" />
  return (
    <Stack gap="10" maxW="3xl">
      <EmailSection />
      {data.hasPassword && <PasswordSection />}
      <AuthenticatorSection security={data} />
      <PasskeysSection passkeys={data.passkeys} />
      <SessionsSection />
    </Stack>
  )
}

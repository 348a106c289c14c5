import { Button, Skeleton, Stack } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { AuthenticatorSection } from './AuthenticatorSection.tsx'
import { EmailSection } from './EmailSection.tsx'
import { PasskeysSection } from './PasskeysSection.tsx'
import { PasswordSection } from './PasswordSection.tsx'
import { securityQuery } from './queries.ts'
import { Section } from './Section.tsx'
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
      <PasskeysSection passkeys={data.passkeys} mayAdd={data.mayAddPasskeys} />
      <SessionsSection />
      {data.hasPassword && (
        <Section
          title="Somebody else was here"
          purpose="See everything that opens your account, and remove all of it but your password."
        >
          <Button asChild variant="outline">
            <Link to="/review-sign-in">Review what opens your account</Link>
          </Button>
        </Section>
      )}
    </Stack>
  )
}

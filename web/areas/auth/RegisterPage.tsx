import { Heading, Text, Link as TextLink } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { AccountForm } from './AccountForm.tsx'
import { AlreadySetUp } from './AlreadySetUp.tsx'
import { AuthText } from './AuthText.tsx'
import { EmailForm } from './EmailForm.tsx'
import { useSetupCheck } from './use-setup-check.ts'

export function RegisterPage() {
  const check = useSetupCheck()
  const [notice, setNotice] = useState('')
  if (notice) {
    return (
      <>
        <AuthText title="Check your inbox">{notice} Open its link to start.</AuthText>
        <EmailForm path="/account/resend-verification" button="Send another email" />
      </>
    )
  }
  if (check && !check.registrationOpen) {
    return <AlreadySetUp text="Registration is closed because this installation already has an account." />
  }
  return (
    <>
      <Heading as="h1" size="2xl">
        Create your account
      </Heading>
      <Text color="fg.muted" mt="2" mb="6">
        Already registered?{' '}
        <TextLink asChild colorPalette="accent" variant="underline">
          <Link to="/signin">Sign in</Link>
        </TextLink>
      </Text>
      <AccountForm button="Create account" needsToken={check?.needsToken} onEmailSent={setNotice} />
    </>
  )
}

import { Box, Link as TextLink } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import { AuthText, ToSignIn } from './AuthText.tsx'
import { EmailForm } from './EmailForm.tsx'
import { useCanSendEmail } from './use-can-send-email.ts'

export function ForgotPasswordPage() {
  if (useCanSendEmail() === false) {
    return (
      <>
        <AuthText title="Forgot your password?">
          This server doesn’t send email. Ask your administrator for a new password.
        </AuthText>
        <ToSignIn />
      </>
    )
  }
  return (
    <>
      <AuthText title="Forgot your password?">
        Enter your address. We’ll send you a link to choose a new password.
      </AuthText>
      <EmailForm path="/account/forgot-password" button="Send the link" />
      <Box mt="4" textStyle="sm">
        <TextLink asChild colorPalette="accent" variant="underline">
          <Link to="/signin">Back to sign in</Link>
        </TextLink>
      </Box>
    </>
  )
}

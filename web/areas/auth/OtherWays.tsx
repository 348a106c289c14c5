import { Box, Text, Link as TextLink } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import { useCanSendEmail } from './use-can-send-email.ts'

/** Links of the sign-in page for people who cannot sign in. */
export function OtherWays({ isOpen }: { isOpen: boolean }) {
  const canSendEmail = useCanSendEmail()
  return (
    <>
      {canSendEmail && (
        <Box mt="4" textStyle="sm">
          <TextLink asChild colorPalette="accent" variant="underline">
            <Link to="/forgot-password">Forgot your password?</Link>
          </TextLink>
        </Box>
      )}
      {isOpen && (
        <Box mt="6" textStyle="sm">
          <Text as="span" color="fg.muted">
            New here?{' '}
          </Text>
          <TextLink asChild colorPalette="accent" variant="underline">
            <Link to="/register">Create an account</Link>
          </TextLink>
        </Box>
      )}
    </>
  )
}

import { Button, Flex, Heading, Text } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import { useSnapshot } from 'valtio'
import { session } from '../../api/session.ts'

export function UnauthorizedPage() {
  const { isAuthenticated } = useSnapshot(session)
  return (
    <>
      <Heading as="h1" size="2xl">
        You have no access to this
      </Heading>
      <Text color="fg.muted" mt="2" mb="6">
        Your account lacks the permission for this page or action. Ask an organization admin to grant it, or go on
        elsewhere.
      </Text>
      <Flex gap="3">
        <Button asChild colorPalette="accent">
          <Link to={isAuthenticated ? '/app' : '/signin'}>{isAuthenticated ? 'Go to the start page' : 'Sign in'}</Link>
        </Button>
      </Flex>
    </>
  )
}

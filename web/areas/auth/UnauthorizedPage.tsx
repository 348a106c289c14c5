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
        {isAuthenticated
          ? 'Your account lacks the permission for this page or action.'
          : 'Sign in with an account that has the permission.'}
      </Text>
      <Flex gap="3">
        <Button asChild colorPalette="accent">
          <Link to={isAuthenticated ? '/app' : '/signin'}>{isAuthenticated ? 'Go to the start page' : 'Sign in'}</Link>
        </Button>
      </Flex>
    </>
  )
}

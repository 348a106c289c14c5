import { Button, Flex, Heading, Text } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import { useSnapshot } from 'valtio'
import { session } from '../../api/session.ts'

export function UnauthorizedPage() {
  const { isAuthenticated } = useSnapshot(session)
  return (
    <>
      <Heading as="h1" size="2xl">
        You don’t have access
      </Heading>
      <Text color="fg.muted" mt="2" mb="6">
        {isAuthenticated
          ? 'You don’t have permission to view this. Ask an admin for access.'
          : 'Sign in with an account that has access.'}
      </Text>
      <Flex gap="3">
        <Button asChild colorPalette="accent">
          <Link to={isAuthenticated ? '/app' : '/signin'}>{isAuthenticated ? 'Go to home' : 'Sign in'}</Link>
        </Button>
      </Flex>
    </>
  )
}

import { Button, Heading, Text } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'

export function AlreadySetUp({ text }: { text: string }) {
  return (
    <>
      <Heading as="h1" size="2xl">
        Sign in instead
      </Heading>
      <Text color="fg.muted" mt="2" mb="6">
        {text}
      </Text>
      <Button asChild colorPalette="accent" w="full">
        <Link to="/signin">Go to sign in</Link>
      </Button>
    </>
  )
}

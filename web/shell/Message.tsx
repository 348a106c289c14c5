import { Flex, Heading, Text } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { Logo } from './Logo.tsx'

/** A full page with a message and actions. */
export function Message({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <Flex as="main" direction="column" align="center" justify="center" gap="4" minH="100dvh" p="6" textAlign="center">
      <Logo />
      <Heading as="h1" size="2xl" mt="4">
        {title}
      </Heading>
      <Text color="fg.muted" maxW="md" overflowWrap="anywhere">
        {text}
      </Text>
      <Flex gap="3" mt="2" wrap="wrap" justify="center">
        {children}
      </Flex>
    </Flex>
  )
}

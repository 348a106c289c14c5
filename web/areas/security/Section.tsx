import { Box, Heading, Text } from '@chakra-ui/react'
import type { ReactNode } from 'react'

interface Props {
  title: string
  purpose: string
  children: ReactNode
}

export function Section({ title, purpose, children }: Props) {
  return (
    <Box as="section" aria-label={title}>
      <Heading as="h2" size="md">
        {title}
      </Heading>
      <Text color="fg.muted" textStyle="sm" mt="1" mb="4">
        {purpose}
      </Text>
      {children}
    </Box>
  )
}

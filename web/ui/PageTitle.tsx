import { Box, Flex, Heading, Text } from '@chakra-ui/react'
import type { ReactNode } from 'react'

/** A page heading with a one-line description and actions. */
export function PageTitle({ title, purpose, actions }: { title: string; purpose?: string; actions?: ReactNode }) {
  return (
    <Flex gap="4" align="start" justify="space-between" wrap="wrap">
      <Box>
        <Heading as="h1" size="2xl" letterSpacing="tight">
          {title}
        </Heading>
        {purpose && (
          <Text color="fg.muted" mt="1">
            {purpose}
          </Text>
        )}
      </Box>
      {actions && (
        <Flex gap="2" wrap="wrap">
          {actions}
        </Flex>
      )}
    </Flex>
  )
}

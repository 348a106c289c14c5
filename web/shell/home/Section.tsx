import { Box, Flex, Heading, Text } from '@chakra-ui/react'
import { type ReactNode, useId } from 'react'

interface Props {
  title: string
  text?: string
  /** Beside the heading. */
  action?: ReactNode
  children: ReactNode
}

/** A part of the home page, named by its heading. */
export function Section({ title, text, action, children }: Props) {
  const id = useId()
  return (
    <Box as="section" aria-labelledby={id}>
      <Flex align="baseline" justify="space-between" gap="3" mb="3" wrap="wrap">
        <Heading as="h2" id={id} size="md">
          {title}
        </Heading>
        <Box textStyle="sm" fontWeight="medium" color="accent.fg">
          {action}
        </Box>
      </Flex>
      {text && (
        <Text color="fg.muted" mt="-2" mb="3">
          {text}
        </Text>
      )}
      {children}
    </Box>
  )
}

import { Box, Button, Flex, Heading, Text } from '@chakra-ui/react'
import { IconAlertTriangle } from '@tabler/icons-react'

interface Props {
  /** What failed: `Agent flows could not be loaded`. */
  title: string
  /** Why, if known, and the next step. */
  text: string
  onRetry?(): void
}

export function ErrorState({ title, text, onRetry }: Props) {
  return (
    <Flex role="alert" direction="column" align="center" textAlign="center" gap="2" py="16" px="4">
      <Box color="fg.error">
        <IconAlertTriangle size={40} aria-hidden />
      </Box>
      <Heading as="h2" size="lg">
        {title}
      </Heading>
      <Text color="fg.muted" maxW="md" overflowWrap="anywhere">
        {text}
      </Text>
      {onRetry && (
        <Button mt="4" variant="outline" onClick={onRetry}>
          Try again
        </Button>
      )}
    </Flex>
  )
}

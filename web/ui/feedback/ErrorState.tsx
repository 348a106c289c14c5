import { Box, Button, Flex, Heading, Text } from '@chakra-ui/react'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import { failure } from '../../state/failure.ts'

interface Props {
  /** What failed, such as `Couldn’t load agent flows`. */
  title: string
  /** The reason, if known, and the next step. */
  text: string
  onRetry?(): void
  /** It stands for a whole page, which has no other title. */
  isPage?: boolean
}

export function ErrorState({ title, text, onRetry, isPage = false }: Props) {
  const { last } = useSnapshot(failure)
  const requestId = last?.message === text ? last.requestId : undefined
  return (
    <Flex role="alert" direction="column" align="center" textAlign="center" gap="2" py="16" px="4">
      <Box color="fg.error">
        <IconAlertTriangle size={40} aria-hidden />
      </Box>
      <Heading as={isPage ? 'h1' : 'h2'} size="lg">
        {title}
      </Heading>
      <Text color="fg.muted" maxW="md" overflowWrap="anywhere">
        {text}
      </Text>
      {requestId && (
        <Text textStyle="xs" color="fg.muted" overflowWrap="anywhere">
          Request {requestId}. Quote it when you ask for help.
        </Text>
      )}
      {onRetry && (
        <Button mt="4" variant="outline" onClick={onRetry}>
          Try again
        </Button>
      )}
    </Flex>
  )
}

import { Box, Button, Skeleton, Stack, VisuallyHidden } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { PublicChatbotConfig } from '#contract/chatflows/chatflows.ts'
import { ApiError } from '../../api/errors.ts'
import { callPublic } from '../../api/public-client.ts'
import { keys } from '../../api/query.ts'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { PublicChat } from './PublicChat.tsx'

const configQuery = (id: string) => ({
  queryKey: keys.one('public-chatbotConfig', id),
  queryFn: async () =>
    (await callPublic('GET', `/public-chatbotConfig/${encodeURIComponent(id)}`)).json() as Promise<PublicChatbotConfig>,
  retry: false,
  staleTime: Number.POSITIVE_INFINITY,
})

/** The chat with a flow for anyone whom its owner lets in. */
export function ChatbotPage({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(configQuery(id))
  if (data) return <PublicChat key={id} flowId={id} config={data} />
  if (!error) {
    return (
      <Stack gap="4" maxW="3xl" mx="auto" p="6" aria-busy aria-label="Loading">
        <Skeleton h="8" w="50%" />
        <Skeleton h="64" />
      </Stack>
    )
  }
  return (
    <Box maxW="3xl" mx="auto" p="6">
      <VisuallyHidden as="h1">Chat</VisuallyHidden>
      <Problem error={error} onRetry={() => void refetch()} />
    </Box>
  )
}

function Problem({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const status = error instanceof ApiError ? error.status : 0
  if (status === 404 || status === 400) {
    return (
      <ErrorState
        title="Chat not found"
        text="It was deleted, or the address is wrong. Ask the person who sent it to you."
      />
    )
  }
  if (status === 401 || status === 403) {
    return (
      <Stack align="center" gap="4">
        <ErrorState
          title="This chat isn’t open to you"
          text="Sign in if you are a member of its workspace. Otherwise ask whoever sent you the address: it may be wrong, the chat may be deleted, or its owner can open it to everyone under Share."
        />
        <Button asChild colorPalette="accent">
          <Link to="/signin">Sign in</Link>
        </Button>
      </Stack>
    )
  }
  return <ErrorState title="Couldn’t load the chat" text={error.message} onRetry={onRetry} />
}

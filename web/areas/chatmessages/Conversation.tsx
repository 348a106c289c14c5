import { Box, Button, Flex, Heading, IconButton, Skeleton, Stack, Text, Link as TextLink } from '@chakra-ui/react'
import { IconArrowLeft, IconTrash } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { ChatSession } from '#contract/chats/chat-sessions.ts'
import { toTurns } from '../../chat/conversation.ts'
import { QuestionView } from '../../chat/QuestionView.tsx'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { conversationQuery } from './queries.ts'
import { StoredAnswer } from './StoredAnswer.tsx'

interface ConversationProps {
  flowId: string
  sessionId: string
  /** As the list has it; undefined when the session is on another page. */
  session: ChatSession | undefined
  /** Leads to the list, on narrow screens. */
  back: LinkProps
  /** Undefined: the person may not delete. */
  onDelete: (() => void) | undefined
}

/** The messages of one session, oldest first. Loads from the end. */
export function Conversation({ flowId, sessionId, session, back, onDelete }: ConversationProps) {
  const query = useInfiniteQuery(conversationQuery(flowId, sessionId))
  const messages = useMemo(() => query.data?.pages.flat().toReversed() ?? [], [query.data])
  const turns = useMemo(() => toTurns(messages), [messages])
  return (
    <Stack
      as="section"
      aria-label="Conversation"
      gap="4"
      borderWidth="1px"
      borderRadius="l3"
      bg="bg.panel"
      p="4"
      minW="0"
    >
      <Flex gap="3" align="start">
        <IconButton asChild hideFrom="lg" variant="ghost" size="sm" aria-label="All sessions">
          <Link {...back}>
            <IconArrowLeft aria-hidden />
          </Link>
        </IconButton>
        <Box flex="1" minW="0">
          <Heading as="h2" size="md">
            Conversation
          </Heading>
          <Text textStyle="xs" color="fg.muted" overflowWrap="anywhere">
            Session {sessionId}
            {messages[0] && (
              <>
                {' · '}
                <RelativeTime date={messages[0].createdDate} />
              </>
            )}
          </Text>
          <Contact
            lead={session?.lead ?? null}
            email={messages.find(({ leadEmail }) => leadEmail)?.leadEmail ?? null}
          />
        </Box>
        {onDelete && (
          <IconButton variant="ghost" size="sm" aria-label="Delete session" title="Delete session" onClick={onDelete}>
            <IconTrash aria-hidden />
          </IconButton>
        )}
      </Flex>
      {query.hasNextPage && (
        <Button
          size="sm"
          variant="outline"
          alignSelf="center"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Load earlier messages
        </Button>
      )}
      {query.isPending && <Skeleton h="32" role="status" aria-label="Loading conversation" />}
      {query.error && !query.data && (
        <ErrorState title="Couldn’t load this session" text={query.error.message} onRetry={() => query.refetch()} />
      )}
      {query.data && turns.length === 0 && (
        <Text color="fg.muted">This session has no messages. It may have been deleted.</Text>
      )}
      {turns.map((turn) => (
        <Flex key={turn.id} direction="column" gap="3">
          <QuestionView {...turn} />
          <StoredAnswer answer={turn.answer} />
        </Flex>
      ))}
    </Stack>
  )
}

function Contact({ lead, email }: { lead: ChatSession['lead']; email: string | null }) {
  const { name, email: left, phone } = lead ?? { name: null, email: null, phone: null }
  const address = left || email
  if (!name && !address && !phone) return null
  return (
    <Flex gap="2" wrap="wrap" textStyle="sm" mt="1" overflowWrap="anywhere">
      <Text color="fg.muted">Lead</Text>
      {name && <span>{name}</span>}
      {address && (
        <TextLink href={`mailto:${encodeURIComponent(address)}`} variant="underline">
          {address}
        </TextLink>
      )}
      {phone && <span>{phone}</span>}
    </Flex>
  )
}

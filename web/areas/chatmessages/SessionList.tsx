import { Box, Flex, Text } from '@chakra-ui/react'
import { IconThumbDown, IconThumbUp } from '@tabler/icons-react'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ChatSession } from '#contract/chats/chat-sessions.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { sourceLabel } from './sources.ts'

interface SessionListProps {
  sessions: readonly ChatSession[]
  open: string | undefined
  linkTo: (session: string) => LinkProps
}

export function SessionList({ sessions, open, linkTo }: SessionListProps) {
  return (
    <Box as="ul" listStyleType="none" borderWidth="1px" borderRadius="l3" bg="bg.panel" overflow="hidden">
      {sessions.map((session) => (
        <Box as="li" key={session.sessionId} borderBottomWidth="1px" _last={{ borderBottomWidth: 0 }}>
          <SessionLink session={session} isOpen={session.sessionId === open} link={linkTo(session.sessionId)} />
        </Box>
      ))}
    </Box>
  )
}

function SessionLink({ session, isOpen, link }: { session: ChatSession; isOpen: boolean; link: LinkProps }) {
  const { question, chatType, messageCount, lead, lastDate } = session
  const person = lead && (lead.name || lead.email || lead.phone)
  return (
    <Box
      asChild
      display="block"
      px="4"
      py="3"
      bg={isOpen ? 'accent.subtle' : undefined}
      _hover={isOpen ? undefined : { bg: 'bg.subtle' }}
    >
      <Link {...link} resetScroll={false} aria-current={isOpen ? 'true' : undefined}>
        <Text fontWeight="medium" truncate>
          {question?.trim() || 'No text'}
        </Text>
        <Flex gap="2" align="center" wrap="wrap" fontSize="xs" color="fg.muted">
          <RelativeTime date={lastDate} />
          <span>{sourceLabel(chatType)}</span>
          <span>{messageCount === 1 ? '1 message' : `${messageCount} messages`}</span>
          {person && <Text truncate>{person}</Text>}
          <Ratings session={session} />
        </Flex>
      </Link>
    </Box>
  )
}

function Ratings({ session: { positiveFeedback, negativeFeedback } }: { session: ChatSession }) {
  return (
    <>
      {positiveFeedback > 0 && (
        <Flex align="center" gap="1" title="Positive ratings">
          <IconThumbUp size={12} aria-label="Positive ratings" /> {positiveFeedback}
        </Flex>
      )}
      {negativeFeedback > 0 && (
        <Flex align="center" gap="1" title="Bad answers">
          <IconThumbDown size={12} aria-label="Bad answers" /> {negativeFeedback}
        </Flex>
      )}
    </>
  )
}

import { Box, Button, Flex, Skeleton, Stack, Text } from '@chakra-ui/react'
import { IconArrowDown } from '@tabler/icons-react'
import { memo, type ReactNode, useLayoutEffect, useMemo, useRef } from 'react'
import type { HumanAnswer } from '#contract/runs/events.ts'
import { useRestoreFocus } from '../ui/use-restore-focus.ts'
import { AnswerView } from './AnswerView.tsx'
import type { Opinion, Turn } from './conversation.ts'
import { QuestionView } from './QuestionView.tsx'
import { useStickToEnd } from './use-stick-to-end.ts'

export interface MessageListProps {
  turns: readonly Turn[]
  loading: boolean
  loadError?: string
  onReload: () => void
  /** What stands in place of the first message. */
  empty: ReactNode
  /** Questions to begin with. */
  starters: readonly string[]
  onStart: (question: string) => void
  running: boolean
  onRetry: (turn: Turn) => void
  onAnswer: (turn: Turn, given: HumanAnswer) => void
  onRate: (turn: Turn, opinion: Opinion) => Promise<void>
}

/** The conversation, with questions to begin and to go on with. */
export function MessageList(props: MessageListProps) {
  const { turns, loading, loadError, onReload, empty, starters, onStart } = props
  const { running } = props
  const actions = useTurnActions(props)
  const log = useRef<HTMLDivElement>(null)
  const last = turns.at(-1)
  const followUps = running ? [] : (last?.answer.followUps ?? [])
  const size = `${last?.answer.text.length} ${last?.answer.state} ${followUps.length}`
  const { isFollowing, showEnd } = useStickToEnd(log, { last: last?.id, size })
  useRestoreFocus(log, turns.filter(({ answer }) => answer.state === 'waiting').length)
  return (
    <Box position="relative" flex="1" minH="0">
      <Box ref={log} h="full" overflowY="auto" role="log" aria-label="Messages" tabIndex={0}>
        {loading && <Skeleton h="16" borderRadius="xl" />}
        {loadError && (
          <Flex direction="column" gap="2" align="center" p="4">
            <Text>Couldn’t load the conversation: {loadError}</Text>
            <Button size="sm" variant="outline" onClick={onReload}>
              Try again
            </Button>
          </Flex>
        )}
        {!loading && !loadError && turns.length === 0 && (
          <Stack align="center" gap="3" mt="8">
            {empty}
            <Questions questions={starters} onChoose={onStart} />
          </Stack>
        )}
        <Flex direction="column" gap="3">
          {turns.map((turn) => (
            <TurnView key={turn.id} turn={turn} busy={running} actions={actions} />
          ))}
          {followUps.length > 0 && (
            <Flex as="section" aria-label="Follow-up questions" gap="2" wrap="wrap" pb="1">
              <Questions questions={followUps} onChoose={onStart} />
            </Flex>
          )}
        </Flex>
      </Box>
      {!isFollowing && (
        <Button
          size="xs"
          variant="surface"
          position="absolute"
          bottom="2"
          left="50%"
          transform="translateX(-50%)"
          shadow="md"
          onClick={showEnd}
        >
          <IconArrowDown size={14} aria-hidden />
          Jump to latest
        </Button>
      )}
    </Box>
  )
}

type TurnActions = Pick<MessageListProps, 'onRetry' | 'onAnswer' | 'onRate'>

/** Returns actions that stay the same, so that a turn that did not change is not drawn again. */
function useTurnActions(props: TurnActions): TurnActions {
  const latest = useRef(props)
  useLayoutEffect(() => {
    latest.current = props
  })
  return useMemo(
    () => ({
      onRetry: (turn) => latest.current.onRetry(turn),
      onAnswer: (turn, given) => latest.current.onAnswer(turn, given),
      onRate: (turn, opinion) => latest.current.onRate(turn, opinion),
    }),
    [],
  )
}

interface TurnViewProps {
  turn: Turn
  busy: boolean
  actions: TurnActions
}

const TurnView = memo(function TurnView({ turn, busy, actions }: TurnViewProps) {
  return (
    <Flex direction="column" gap="2">
      <QuestionView question={turn.question} files={turn.files} decision={turn.decision} />
      <AnswerView
        answer={turn.answer}
        decided={turn.question === '' ? turn.answer.decided : undefined}
        busy={busy}
        onRetry={() => actions.onRetry(turn)}
        onAnswer={(given) => actions.onAnswer(turn, given)}
        onRate={(opinion) => actions.onRate(turn, opinion)}
      />
    </Flex>
  )
})

function Questions({ questions, onChoose }: { questions: readonly string[]; onChoose: (question: string) => void }) {
  return questions.map((question) => (
    <Button
      key={question}
      size="sm"
      variant="outline"
      h="auto"
      py="2"
      maxW="full"
      whiteSpace="normal"
      overflowWrap="anywhere"
      onClick={() => onChoose(question)}
    >
      {question}
    </Button>
  ))
}

import { Button, Field, Flex, Link, NativeSelect, Stack, Text } from '@chakra-ui/react'
import { IconExternalLink, IconPlayerTrackNext } from '@tabler/icons-react'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { waitingNote } from '#contract/runs/approvers.ts'
import type { HumanAnswer, HumanInputAction, TraceItem } from '#contract/runs/events.ts'
import { useStanding } from '../../api/use-standing.ts'
import { Approval } from '../../chat/approvals/Approval.tsx'
import { StepDetail } from '../../chat/trace/StepDetail.tsx'
import { occurrenceText } from '../../chat/trace/tree.ts'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { useCanvas } from '../store/context.ts'
import { useCanvasValue } from '../store/hooks.ts'
import { useRuns } from '../store/run-actions.ts'

/** Input and output of a node in the last run; one of its occurrences when there are several. */
export default function LastRun({ nodeId }: { nodeId: string }) {
  const canvas = useCanvas()
  const runs = useRuns()
  const { executionId, trace, questions } = useSnapshot(canvas.state.run)
  // Valtio returns values held by `ref` unchanged.
  const items = (trace as readonly TraceItem[]).filter((item) => item.nodeId === nodeId)
  const asked = (questions as readonly HumanInputAction[]).filter((question) => question.data.nodeId === nodeId)
  const [chosen, setChosen] = useState<string>()
  const hint = useCanvasValue(canvas, ({ flow }) => canvas.kind.runHint(flow))
  const item = items.find((each) => each.path === chosen) ?? items.at(-1)
  if (!item && asked.length === 0) {
    return (
      <Text fontSize="sm" color="fg.muted">
        This node has not run yet. {hint}
      </Text>
    )
  }
  return (
    <Stack gap="5">
      {asked.map((question) => (
        <Question key={question.id} question={question} items={items} />
      ))}
      {items.length > 1 && item && (
        <Field.Root>
          <Field.Label>Ran {items.length} times</Field.Label>
          <NativeSelect.Root size="sm">
            <NativeSelect.Field value={item.path} onChange={(event) => setChosen(event.target.value)}>
              {items.map((each) => (
                <option key={each.path} value={each.path}>
                  {occurrenceText(each.path ?? '') || 'First pass'}
                </option>
              ))}
            </NativeSelect.Field>
            <NativeSelect.Indicator />
          </NativeSelect.Root>
        </Field.Root>
      )}
      {item && (
        <StepDetail item={item}>
          <Flex gap="3" align="center" wrap="wrap">
            {runs?.askReplay && executionId && (
              <Button size="xs" variant="outline" onClick={() => runs.askReplay?.(item)}>
                <IconPlayerTrackNext size={14} aria-hidden /> Replay…
              </Button>
            )}
            {executionId && (
              <Link href={`/executions/${executionId}`} target="_blank" fontSize="sm">
                View run <IconExternalLink size={14} aria-label="in a new tab" role="img" />
              </Link>
            )}
          </Flex>
        </StepDetail>
      )}
    </Stack>
  )
}

function Question({ question, items }: { question: HumanInputAction; items: readonly TraceItem[] }) {
  const runs = useRuns()
  const note = waitingNote(question, useStanding())
  const [busy, setBusy] = useState(false)
  const asking = items.find((item) => item.path === question.data.path)
  const answer = async (given: HumanAnswer) => {
    setBusy(true)
    await runs?.answer(question, given)
    setBusy(false)
  }
  if (note) return <Notice kind="info">{note}</Notice>
  return (
    <Approval
      action={question}
      question={asking?.data.output?.content ?? ''}
      busy={busy || !runs}
      onAnswer={(given) => void answer(given)}
    />
  )
}

import { Stack, Text } from '@chakra-ui/react'
import { useSnapshot } from 'valtio'
import type { TraceItem } from '#contract/events.ts'
import { StepDetail } from '../chat/trace/StepDetail.tsx'
import { useCanvas } from './context.ts'

/** What went into a node in the last run and what came out; in a loop, once for each round. */
export function LastRun({ nodeId }: { nodeId: string }) {
  const canvas = useCanvas()
  // The trace is held by reference: the snapshot gives it back as it is.
  const trace = useSnapshot(canvas.state.run).trace as readonly TraceItem[]
  const items = trace.filter((item) => item.nodeId === nodeId)
  if (items.length === 0) {
    return (
      <Text fontSize="sm" color="fg.muted">
        This node has not run yet. Send a message in the chat to run the flow.
      </Text>
    )
  }
  return (
    <Stack gap="8">
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rounds of a trace have no other name
        <div key={index}>
          {items.length > 1 && (
            <Text fontSize="xs" color="fg.muted">
              Round {index + 1} of {items.length}
            </Text>
          )}
          <StepDetail item={item} />
        </div>
      ))}
    </Stack>
  )
}

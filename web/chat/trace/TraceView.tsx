import { Box, Grid, Text } from '@chakra-ui/react'
import { type ReactNode, useMemo, useRef } from 'react'
import type { TraceItem } from '#contract/runs/events.ts'
import { useRestoreFocus } from '../../ui/use-restore-focus.ts'
import { StepDetail } from './StepDetail.tsx'
import { StepList } from './StepList.tsx'
import { timeline } from './timeline.ts'
import { flatTree, isWaiting, type TraceNode, traceTree } from './tree.ts'

interface TraceViewProps {
  trace: readonly TraceItem[]
  /** Path of the selected step. Undefined selects the waiting step, the failed step or the first. */
  selected: string | undefined
  onSelect: (path: string) => void
  /** Returns true for steps reused from the replayed run, which took no time here. */
  isCopied?: (item: TraceItem) => boolean
  /** Extra content of a step, below its heading. */
  about?: (node: TraceNode & { item: TraceItem }) => ReactNode
}

/** The steps of a run with their durations, and the details of the selected step. */
export function TraceView({ trace, selected, onSelect, isCopied = () => false, about }: TraceViewProps) {
  const nodes = useMemo(() => traceTree(trace), [trace])
  const bars = useMemo(() => timeline(trace.filter((item) => !isCopied(item))), [trace, isCopied])
  const shown = shownNode(flatTree(nodes), selected, trace)
  const detail = useRef<HTMLDivElement>(null)
  useRestoreFocus(detail, shown?.item && isWaiting(shown.item))
  if (trace.length === 0) return <Text color="fg.muted">No step has finished yet.</Text>
  return (
    <Grid templateColumns={{ base: '1fr', md: '20rem 1fr' }} gap="4" alignItems="start">
      <Box as="nav" aria-label="Steps" minW="0">
        <StepList nodes={nodes} bars={bars} selected={shown?.path} onSelect={onSelect} isCopied={isCopied} />
      </Box>
      {shown && (
        <Box ref={detail} as="section" tabIndex={-1} aria-label={`Step ${shown.label}`} minW="0">
          {isDone(shown) ? (
            <StepDetail item={shown.item} continuedAfterError={continuedAfterError(shown.item, trace)}>
              {about?.(shown)}
            </StepDetail>
          ) : (
            <Text color="fg.muted">The items are still running. Select one to see its progress.</Text>
          )}
        </Box>
      )}
    </Grid>
  )
}

const isDone = (node: TraceNode): node is TraceNode & { item: TraceItem } => node.item !== undefined

function shownNode(
  nodes: TraceNode[],
  selected: string | undefined,
  trace: readonly TraceItem[],
): TraceNode | undefined {
  return (
    nodes.find(({ path }) => path === selected) ??
    nodes.find(({ item }) => item && isWaiting(item)) ??
    nodes.findLast(({ item }) => item?.status === 'ERROR' && !continuedAfterError(item, trace)) ??
    nodes[0]
  )
}

/** Returns true for a failed step that other steps follow. */
function continuedAfterError(item: TraceItem, trace: readonly TraceItem[]): boolean {
  return item.status === 'ERROR' && trace.some(({ previousNodeIds }) => previousNodeIds.includes(item.nodeId))
}

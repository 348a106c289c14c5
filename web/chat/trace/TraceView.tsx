import { Box, chakra, Flex, Grid, Heading, Text } from '@chakra-ui/react'
import type { TraceItem } from '#contract/events.ts'
import { formatCount } from '#contract/format.ts'
import { StepDetail } from './StepDetail.tsx'
import { StateBadge } from './states.tsx'
import { durationOf, formatDuration, type TraceNode, traceTree } from './tree.ts'

export interface TraceViewProps {
  trace: readonly TraceItem[]
  /** Index of the step shown; kept in the URL by the page. */
  selected: number
  onSelect: (index: number) => void
}

/** A run's steps as a tree, and the chosen one with what went in and what came out. */
export function TraceView({ trace, selected, onSelect }: TraceViewProps) {
  const item = trace[selected]
  if (trace.length === 0) return <Text color="fg.muted">No step has finished yet.</Text>
  return (
    <Grid templateColumns={{ base: '1fr', md: '18rem 1fr' }} gap="4" alignItems="start">
      <Box as="nav" aria-label="Steps">
        <StepList nodes={traceTree(trace)} selected={selected} onSelect={onSelect} />
      </Box>
      {item && (
        <Box as="section" aria-label={`Step ${item.nodeLabel}`} minW="0">
          <StepDetail item={item} />
        </Box>
      )}
    </Grid>
  )
}

interface StepListProps {
  nodes: TraceNode[]
  selected: number
  onSelect: (index: number) => void
}

function StepList({ nodes, selected, onSelect }: StepListProps) {
  return (
    <Box as="ol" listStyleType="none">
      {nodes.map((node) => (
        <Box as="li" key={node.index} mb="1">
          <StepButton node={node} selected={node.index === selected} onSelect={onSelect} />
          {node.children.map(({ round, nodes: children }) => (
            <Box key={round} ps="3" ms="3" borderInlineStartWidth="1px">
              <Heading as="h3" size="xs" color="fg.muted" my="1">
                Round {round + 1}
              </Heading>
              <StepList nodes={children} selected={selected} onSelect={onSelect} />
            </Box>
          ))}
        </Box>
      ))}
    </Box>
  )
}

interface StepButtonProps {
  node: TraceNode
  selected: boolean
  onSelect: (index: number) => void
}

function StepButton({ node, selected, onSelect }: StepButtonProps) {
  const { item, index } = node
  const duration = durationOf(item)
  const tokens = item.data.output?.usageMetadata?.total_tokens
  return (
    <chakra.button
      type="button"
      onClick={() => onSelect(index)}
      aria-current={selected ? 'step' : undefined}
      w="full"
      textAlign="start"
      p="2"
      borderRadius="lg"
      borderWidth="1px"
      borderColor={selected ? 'accent' : 'border'}
      bg={selected ? 'bg.subtle' : 'bg.panel'}
      _hover={{ bg: 'bg.subtle' }}
    >
      <Flex justify="space-between" gap="2">
        <Text fontWeight="medium" truncate>
          {item.nodeLabel}
        </Text>
        <StateBadge state={item.status} />
      </Flex>
      <Text fontSize="xs" color="fg.muted">
        {[duration !== undefined && formatDuration(duration), tokens && `${formatCount(tokens)} tokens`]
          .filter(Boolean)
          .join(' · ')}
      </Text>
    </chakra.button>
  )
}

import { Box, chakra, Flex, Text } from '@chakra-ui/react'
import { IconAlertCircle, IconHandStop, IconTool } from '@tabler/icons-react'
import { formatCount, truncate } from '#contract/data/format.ts'
import { stepDuration } from '#contract/runs/compare.ts'
import type { TraceItem, UsedTool } from '#contract/runs/events.ts'
import { formatDuration, usageCost } from '../../ui/format.ts'
import { outcomeText, toolTitle } from '../approvals/approval-text.ts'
import { StepIcon } from './StepIcon.tsx'
import { StateBadge } from './states.tsx'
import type { Bar } from './timeline.ts'
import { flatTree, isWaiting, type TraceNode } from './tree.ts'

interface StepListProps {
  nodes: TraceNode[]
  /** Active time of each step, by path. */
  bars: ReadonlyMap<string, Bar>
  selected: string | undefined
  onSelect: (path: string) => void
  /** Returns true for steps reused from the replayed run. */
  isCopied: (item: TraceItem) => boolean
}

/** Up to this many items of an iteration start expanded. */
const EXPANDED_ITEMS = 3

/** The steps of a run as a tree, with the items of iterations. */
export function StepList(props: StepListProps) {
  return (
    <Box as="ol" listStyleType="none">
      {props.nodes.map((node) => (
        <Box as="li" key={node.path} mb="1">
          <StepButton node={node} {...props} />
          <Tools item={node.item} />
          {node.items.map(({ index, nodes }) => (
            <chakra.details
              key={index}
              mt="1"
              open={node.items.length <= EXPANDED_ITEMS || startsOpen(nodes, props.selected)}
            >
              <chakra.summary cursor="pointer" minH="6" ms="3" fontSize="xs" fontWeight="semibold" color="fg.muted">
                Item {index + 1}
                {itemText(nodes)}
              </chakra.summary>
              <Box ps="3" ms="3" borderInlineStartWidth="1px">
                <StepList {...props} nodes={nodes} />
              </Box>
            </chakra.details>
          ))}
        </Box>
      ))}
    </Box>
  )
}

function startsOpen(nodes: TraceNode[], selected: string | undefined): boolean {
  return flatTree(nodes).some(({ path, item }) => path === selected || item?.status === 'STOPPED')
}

/** Returns the item's value, shortened, and whether it failed. */
function itemText(nodes: TraceNode[]): string {
  const value = nodes.find(({ item }) => item?.data.iterationContext)?.item?.data.iterationContext?.value
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  const failed = nodes.some(({ item }) => item?.status === 'ERROR')
  return `${text && `: ${truncate(text, 40)}`}${failed ? ' (failed)' : ''}`
}

function StepButton({ node, bars, selected, onSelect, isCopied }: StepListProps & { node: TraceNode }) {
  const { item, path, label, round } = node
  const isSelected = path === selected
  const copied = item !== undefined && isCopied(item)
  const bar = copied ? undefined : bars.get(path)
  return (
    <chakra.button
      type="button"
      onClick={() => onSelect(path)}
      aria-current={isSelected ? 'step' : undefined}
      w="full"
      textAlign="start"
      p="2"
      borderRadius="lg"
      borderWidth="1px"
      borderStyle={copied ? 'dashed' : 'solid'}
      borderColor={isSelected ? 'accent' : 'border'}
      bg={isSelected ? 'bg.subtle' : 'bg.panel'}
      _hover={{ bg: 'bg.subtle' }}
    >
      <Flex justify="space-between" gap="2">
        <Flex align="center" gap="2" minW="0">
          <StepIcon path={path} />
          <Text fontWeight="medium" truncate>
            {label}
          </Text>
        </Flex>
        <StateBadge state={item?.status ?? 'INPROGRESS'} />
      </Flex>
      <Text fontSize="xs" color="fg.muted">
        {[
          round > 0 && `round ${round + 1}`,
          copied ? 'reused' : item?.data.disabled ? 'disabled, skipped' : item && figures(item),
        ]
          .filter(Boolean)
          .join(' · ')}
      </Text>
      {bar && (
        <Box aria-hidden mt="1.5" h="1" borderRadius="full" bg="bg.muted" position="relative">
          <Box
            position="absolute"
            h="full"
            minW="1"
            borderRadius="full"
            bg="accent.solid"
            maxW="full"
            style={{ insetInlineStart: `min(${bar.start * 100}%, 100% - 4px)`, width: `${bar.length * 100}%` }}
          />
        </Box>
      )}
    </chakra.button>
  )
}

function figures(item: TraceItem): string {
  const duration = isWaiting(item) ? undefined : stepDuration(item)
  const usage = item.data.output?.usageMetadata
  const failures = item.data.failedAttempts?.length ?? 0
  return [
    duration !== undefined && formatDuration(duration),
    usage && `${formatCount(usage.total_tokens)} tokens`,
    usage && usageCost(usage),
    failures > 0 && `${failures} failed ${failures === 1 ? 'attempt' : 'attempts'}`,
  ]
    .filter(Boolean)
    .join(' · ')
}

function Tools({ item }: { item: TraceItem | undefined }) {
  const tools = item?.data.output?.usedTools ?? []
  if (tools.length === 0) return null
  return (
    <Box as="ul" listStyleType="none" ps="3" ms="3" borderInlineStartWidth="1px" aria-label="Tools used">
      {tools.map((tool, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: tool calls are only ever appended
        <Flex as="li" key={index} gap="1.5" align="center" minH="6" fontSize="xs" color="fg.muted">
          <ToolIcon tool={tool} />
          {toolTitle(tool.tool) + outcomeText(tool)}
        </Flex>
      ))}
    </Box>
  )
}

function ToolIcon({ tool: { error, declined } }: { tool: UsedTool }) {
  const Icon = declined ? IconHandStop : error === undefined ? IconTool : IconAlertCircle
  return <Icon size={12} aria-hidden />
}

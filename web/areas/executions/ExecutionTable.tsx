import { Flex, Stack, Link as StyledLink, Table, Text, VisuallyHidden } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatCount } from '#contract/data/format.ts'
import type { ExecutionSummary } from '#contract/runs/executions.ts'
import { useCan } from '../../api/use-can.ts'
import { withoutToolCalls } from '../../chat/approvals/approval-text.ts'
import { StateBadge } from '../../chat/trace/states.tsx'
import { formatCost, formatDuration } from '../../ui/format.ts'
import { SelectCheckbox } from '../../ui/lists/SelectCheckbox.tsx'
import { useSelection } from '../../ui/lists/use-selection.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { BulkActions } from './BulkActions.tsx'
import { elapsedOf } from './queries.ts'
import { questionText, sourceOf } from './run-summary.ts'
import { StarButton } from './StarButton.tsx'

/** The link of a run covers its row, which is the containing block. */
const WHOLE_ROW = { content: '""', position: 'absolute', inset: '0' } as const
const ABOVE_LINK = { position: 'relative', zIndex: '1' } as const

/** One page of executions, with selection for compare and delete. */
export function ExecutionTable({ executions }: { executions: ExecutionSummary[] }) {
  const canStar = useCan()('executions:update')
  const selection = useSelection(executions.map(({ id }) => id))
  return (
    <Stack gap="2">
      <BulkActions executions={executions.filter(({ id }) => selection.has(id))} onDeleted={selection.clear} />
      <Table.ScrollArea borderWidth="1px" borderRadius="l3" bg="bg.panel">
        <Table.Root
          size="sm"
          css={{
            '& tr': { bg: 'transparent' },
            '& tr:last-child td': { borderBottomWidth: 0 },
            '& tbody tr:hover': { bg: 'bg.subtle' },
          }}
        >
          <Table.Header>
            <Table.Row>
              <Table.ColumnHeader w="10">
                <SelectCheckbox label="Select all on this page" {...selection.all} />
              </Table.ColumnHeader>
              {canStar && (
                <Table.ColumnHeader w="10" px="0">
                  <VisuallyHidden>Star</VisuallyHidden>
                </Table.ColumnHeader>
              )}
              <Table.ColumnHeader>Run</Table.ColumnHeader>
              <Table.ColumnHeader hideBelow="lg">Source</Table.ColumnHeader>
              <Table.ColumnHeader hideBelow="lg">Status</Table.ColumnHeader>
              <Table.ColumnHeader hideBelow="lg">Started</Table.ColumnHeader>
              <Table.ColumnHeader hideBelow="lg">Duration</Table.ColumnHeader>
              <Table.ColumnHeader hideBelow="lg" textAlign="end">
                Tokens
              </Table.ColumnHeader>
              <Table.ColumnHeader hideBelow="lg" textAlign="end">
                Cost
              </Table.ColumnHeader>
            </Table.Row>
          </Table.Header>
          <Table.Body>
            {executions.map((execution) => (
              <Table.Row key={execution.id} position="relative">
                <Table.Cell {...ABOVE_LINK}>
                  <SelectCheckbox
                    label={`Select the run ${questionText(execution.question) || execution.agentflow.name}`}
                    checked={selection.has(execution.id)}
                    onChange={(on) => selection.toggle(execution.id, on)}
                  />
                </Table.Cell>
                {canStar && (
                  <Table.Cell px="0" {...ABOVE_LINK}>
                    <StarButton execution={execution} />
                  </Table.Cell>
                )}
                <ExecutionCells execution={execution} />
              </Table.Row>
            ))}
          </Table.Body>
        </Table.Root>
      </Table.ScrollArea>
    </Stack>
  )
}

function ExecutionCells({ execution }: { execution: ExecutionSummary }) {
  return (
    <>
      <Table.Cell w="full" maxW="0">
        <RunCell execution={execution} />
      </Table.Cell>
      <Table.Cell hideBelow="lg" maxW="40" truncate>
        <Source execution={execution} />
      </Table.Cell>
      <Table.Cell hideBelow="lg">
        <StateBadge state={execution.state} endedBy={execution.endedBy} />
      </Table.Cell>
      <Table.Cell hideBelow="lg" whiteSpace="nowrap">
        <AboveRow id={execution.id}>
          <RelativeTime date={execution.createdDate} />
        </AboveRow>
      </Table.Cell>
      <Table.Cell hideBelow="lg" whiteSpace="nowrap">
        {formatDuration(elapsedOf(execution))}
      </Table.Cell>
      <Table.Cell hideBelow="lg" textAlign="end">
        <AboveRow id={execution.id}>
          <span title={`${execution.totalTokens} tokens`}>{formatCount(execution.totalTokens)}</span>
        </AboveRow>
      </Table.Cell>
      <Table.Cell hideBelow="lg" textAlign="end">
        {execution.totalCost === null ? '–' : formatCost(execution.totalCost)}
      </Table.Cell>
    </>
  )
}

/** Text that says more on hover, which the row's link would cover. It opens the run too; the keyboard has the row's link. */
function AboveRow({ id, children }: { id: string; children: ReactNode }) {
  return (
    <StyledLink asChild variant="plain" {...ABOVE_LINK}>
      <Link to="/executions/$id" params={{ id }} tabIndex={-1}>
        {children}
      </Link>
    </StyledLink>
  )
}

/** The question as the link of the whole row, and below it the flow and the answer; on phones also what the hidden columns say. */
function RunCell({ execution }: { execution: ExecutionSummary }) {
  const { id, agentflow, error, state, endedBy, createdDate } = execution
  const question = questionText(execution.question)
  const answer = error ?? withoutToolCalls(execution.answer ?? '')
  return (
    <>
      <StyledLink asChild variant="plain" fontWeight="medium" display="block" truncate _after={WHOLE_ROW}>
        <Link to="/executions/$id" params={{ id }}>
          {question || agentflow.name}
        </Link>
      </StyledLink>
      <Text fontSize="xs" color="fg.muted" truncate>
        {agentflow.name}
        {answer && ` · ${answer}`}
      </Text>
      <Flex hideFrom="lg" gap="2" mt="1" align="center" wrap="wrap" fontSize="xs" color="fg.muted">
        <StateBadge state={state} endedBy={endedBy} />
        <Source execution={execution} />
        <AboveRow id={id}>
          <RelativeTime date={createdDate} />
        </AboveRow>
      </Flex>
    </>
  )
}

function Source({ execution }: { execution: ExecutionSummary }) {
  if (!execution.trigger) return sourceOf(execution)
  return (
    <StyledLink asChild variant="underline" {...ABOVE_LINK}>
      <Link to="/triggers/$id" params={{ id: execution.trigger.id }}>
        {execution.trigger.name}
      </Link>
    </StyledLink>
  )
}

import { Stack, Table, Text, VisuallyHidden } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import { formatCount } from '#contract/data/format.ts'
import type { ExecutionSummary } from '#contract/executions.ts'
import { useCan } from '../../api/use-can.ts'
import { StateBadge } from '../../chat/trace/states.tsx'
import { formatCost, formatDuration } from '../../ui/format.ts'
import { SelectCheckbox } from '../../ui/lists/SelectCheckbox.tsx'
import { useSelection } from '../../ui/lists/use-selection.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { BulkActions } from './BulkActions.tsx'
import { elapsedOf } from './queries.ts'
import { StarButton } from './StarButton.tsx'

/** One page of executions, with selection for compare and delete. */
export function ExecutionTable({ executions }: { executions: ExecutionSummary[] }) {
  const canStar = useCan()('executions:update')
  const selection = useSelection(executions.map(({ id }) => id))
  return (
    <Stack gap="2">
      <BulkActions executions={executions.filter(({ id }) => selection.has(id))} onDeleted={selection.clear} />
      <Table.ScrollArea borderWidth="1px" borderRadius="l3" bg="bg.panel">
        <Table.Root css={{ '& tr': { bg: 'transparent' }, '& tr:last-child td': { borderBottomWidth: 0 } }}>
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
              <Table.ColumnHeader>Flow</Table.ColumnHeader>
              <Table.ColumnHeader>Status</Table.ColumnHeader>
              <Table.ColumnHeader>Started</Table.ColumnHeader>
              <Table.ColumnHeader hideBelow="md">Duration</Table.ColumnHeader>
              <Table.ColumnHeader hideBelow="md" textAlign="end">
                Tokens
              </Table.ColumnHeader>
              <Table.ColumnHeader hideBelow="md" textAlign="end">
                Cost
              </Table.ColumnHeader>
            </Table.Row>
          </Table.Header>
          <Table.Body>
            {executions.map((execution) => (
              <Table.Row key={execution.id}>
                <Table.Cell>
                  <SelectCheckbox
                    label={`Select the run of ${execution.agentflow.name}`}
                    checked={selection.has(execution.id)}
                    onChange={(on) => selection.toggle(execution.id, on)}
                  />
                </Table.Cell>
                {canStar && (
                  <Table.Cell px="0">
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
  const origin = originOf(execution)
  return (
    <>
      <Table.Cell minW={{ md: '40' }}>
        <Link to="/executions/$id" params={{ id: execution.id }}>
          <Text fontWeight="medium" textDecoration="underline" lineClamp={1}>
            {execution.agentflow.name}
          </Text>
        </Link>
        {origin && (
          <Text fontSize="xs" color="fg.muted">
            {origin}
          </Text>
        )}
      </Table.Cell>
      <Table.Cell>
        <StateBadge state={execution.state} endedBy={execution.endedBy} />
      </Table.Cell>
      <Table.Cell whiteSpace="nowrap">
        <RelativeTime date={execution.createdDate} />
      </Table.Cell>
      <Table.Cell hideBelow="md" whiteSpace="nowrap">
        {formatDuration(elapsedOf(execution))}
      </Table.Cell>
      <Table.Cell hideBelow="md" textAlign="end" title={`${execution.totalTokens} tokens`}>
        {formatCount(execution.totalTokens)}
      </Table.Cell>
      <Table.Cell hideBelow="md" textAlign="end">
        {execution.totalCost === null ? '–' : formatCost(execution.totalCost)}
      </Table.Cell>
    </>
  )
}

/** Returns how the run started when it was not a prediction; empty otherwise. */
function originOf({ replayOf, parentExecutionId }: ExecutionSummary): string {
  if (replayOf) return 'Replayed from a step'
  return parentExecutionId ? 'Called by another run' : ''
}

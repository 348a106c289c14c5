import { Stack, Table, Text, VisuallyHidden } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatCount } from '#contract/data/format.ts'
import type { ExecutionSummary } from '#contract/executions.ts'
import { useCan } from '../../api/use-can.ts'
import { StateBadge } from '../../chat/trace/states.tsx'
import { formatCost, formatDuration } from '../../ui/format.ts'
import { SelectCheckbox } from '../../ui/lists/SelectCheckbox.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { BulkActions } from './BulkActions.tsx'
import { elapsedOf } from './queries.ts'
import { StarButton } from './StarButton.tsx'

/** One page of executions, with selection for compare and delete. */
export function ExecutionTable({ executions }: { executions: ExecutionSummary[] }) {
  const canStar = useCan()('executions:update')
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const selectedIds = executions.filter((execution) => selected.has(execution.id)).map((execution) => execution.id)
  const toggle = (ids: string[], on: boolean) => {
    const next = new Set(selected)
    for (const id of ids) on ? next.add(id) : next.delete(id)
    setSelected(next)
  }
  const all = executions.map((execution) => execution.id)
  return (
    <Stack gap="2">
      <BulkActions
        executions={executions.filter(({ id }) => selected.has(id))}
        onDeleted={() => setSelected(new Set())}
      />
      <Table.ScrollArea borderWidth="1px" borderRadius="l3" bg="bg.panel">
        <Table.Root css={{ '& tr': { bg: 'transparent' }, '& tr:last-child td': { borderBottomWidth: 0 } }}>
          <Table.Header>
            <Table.Row>
              <Table.ColumnHeader w="10">
                <SelectCheckbox
                  label="Select all on this page"
                  checked={selectedIds.length === all.length ? true : selectedIds.length > 0 && 'indeterminate'}
                  onChange={(on) => toggle(all, on)}
                />
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
                    checked={selected.has(execution.id)}
                    onChange={(on) => toggle([execution.id], on)}
                  />
                </Table.Cell>
                {canStar && (
                  <Table.Cell px="0">
                    <StarButton execution={execution} />
                  </Table.Cell>
                )}
                <Table.Cell minW={{ md: '40' }}>
                  <Link to="/executions/$id" params={{ id: execution.id }}>
                    <Text fontWeight="medium" textDecoration="underline" lineClamp={1}>
                      {execution.agentflow.name}
                    </Text>
                  </Link>
                  {originOf(execution) && (
                    <Text fontSize="xs" color="fg.muted">
                      {originOf(execution)}
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
              </Table.Row>
            ))}
          </Table.Body>
        </Table.Root>
      </Table.ScrollArea>
    </Stack>
  )
}

/** Returns how the run started when it was not a prediction; empty otherwise. */
function originOf({ replayOf, parentExecutionId }: ExecutionSummary): string {
  if (replayOf) return 'Replayed from a step'
  return parentExecutionId ? 'Called by another run' : ''
}

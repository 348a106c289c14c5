import { Stack, Table, Text, VisuallyHidden } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ExecutionSummary } from '#contract/executions.ts'
import { formatCount } from '#contract/format.ts'
import { useCan } from '../../api/use-can.ts'
import { StateBadge } from '../../chat/trace/states.tsx'
import { formatCost, formatDuration } from '../../ui/format.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { SelectCheckbox } from '../../ui/SelectCheckbox.tsx'
import { BulkActions } from './BulkActions.tsx'
import { elapsedOf } from './queries.ts'
import { StarButton } from './StarButton.tsx'

/** One page of runs; picked ones are compared or deleted. */
export function ExecutionTable({ executions }: { executions: ExecutionSummary[] }) {
  const mayStar = useCan()('executions:update')
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const here = executions.filter((execution) => picked.has(execution.id)).map((execution) => execution.id)
  const toggle = (ids: string[], on: boolean) => {
    const next = new Set(picked)
    for (const id of ids) on ? next.add(id) : next.delete(id)
    setPicked(next)
  }
  const all = executions.map((execution) => execution.id)
  return (
    <Stack gap="2">
      <BulkActions executions={executions.filter(({ id }) => picked.has(id))} onDeleted={() => setPicked(new Set())} />
      <Table.ScrollArea borderWidth="1px" borderRadius="l3" bg="bg.panel">
        <Table.Root css={{ '& tr': { bg: 'transparent' }, '& tr:last-child td': { borderBottomWidth: 0 } }}>
          <Table.Header>
            <Table.Row>
              <Table.ColumnHeader w="10">
                <SelectCheckbox
                  label="Select all on this page"
                  checked={here.length === all.length ? true : here.length > 0 && 'indeterminate'}
                  onChange={(on) => toggle(all, on)}
                />
              </Table.ColumnHeader>
              {mayStar && (
                <Table.ColumnHeader w="10" px="0">
                  <VisuallyHidden>Star</VisuallyHidden>
                </Table.ColumnHeader>
              )}
              <Table.ColumnHeader>Flow</Table.ColumnHeader>
              <Table.ColumnHeader>State</Table.ColumnHeader>
              <Table.ColumnHeader>Started</Table.ColumnHeader>
              <Table.ColumnHeader hideBelow="md">Took</Table.ColumnHeader>
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
                    checked={picked.has(execution.id)}
                    onChange={(on) => toggle([execution.id], on)}
                  />
                </Table.Cell>
                {mayStar && (
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
                  {kindOf(execution) && (
                    <Text fontSize="xs" color="fg.muted">
                      {kindOf(execution)}
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

/** What began a run that no person began with a question. */
function kindOf({ replayOf, parentExecutionId }: ExecutionSummary): string {
  if (replayOf) return 'Run again from a step'
  return parentExecutionId ? 'Called by another run' : ''
}

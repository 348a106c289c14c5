import { Button, Checkbox, Flex, Skeleton, Stack, Table, Text } from '@chakra-ui/react'
import { IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ExecutionSummary } from '#contract/executions.ts'
import { formatCount } from '#contract/format.ts'
import { StateBadge } from '../../chat/trace/states.tsx'
import { formatCost, formatDuration } from '../../chat/trace/tree.ts'
import { confirm } from '../../ui/confirm.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { notify } from '../../ui/notify.ts'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { Filters } from './Filters.tsx'
import { deleteExecutions, elapsedOf, executionsQuery, PAGE_SIZE } from './queries.ts'
import type { ExecutionFilters } from './search.ts'

export interface ExecutionsPageProps {
  filters: ExecutionFilters
  page: number
  onChange: (filters: ExecutionFilters, page: number) => void
}

/** What ran, newest first. Filters and page are in the URL. */
export function ExecutionsPage({ filters, page, onChange }: ExecutionsPageProps) {
  const query = useQuery(executionsQuery(filters, page))
  const filtered = Object.values(filters).some(Boolean)
  return (
    <Stack gap="5">
      <PageTitle title="Executions" purpose="What your flows did, step by step." />
      <Filters filters={filters} onChange={(changed) => onChange(changed, 1)} />
      {query.error && !query.data && (
        <ErrorState title="Executions could not be loaded" text={query.error.message} onRetry={() => query.refetch()} />
      )}
      {query.isPending && <Skeleton h="64" aria-label="Loading executions" />}
      {query.data?.total === 0 && (
        <EmptyState
          title={filtered ? 'No execution fits these filters' : 'Nothing has run yet'}
          text={filtered ? 'Change or clear the filters.' : 'Open a flow and talk to it: each run appears here.'}
          action={
            filtered ? (
              <Button colorPalette="accent" onClick={() => onChange({}, 1)}>
                Clear filters
              </Button>
            ) : (
              <Button asChild colorPalette="accent">
                <Link to="/agentflows">Open agent flows</Link>
              </Button>
            )
          }
        />
      )}
      {query.data && query.data.total > 0 && <ExecutionTable executions={query.data.data} />}
      {query.data && query.data.total > PAGE_SIZE && (
        <Pager page={page} total={query.data.total} onPage={(next) => onChange(filters, next)} />
      )}
    </Stack>
  )
}

function ExecutionTable({ executions }: { executions: ExecutionSummary[] }) {
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
      <DeletePicked ids={here} onDeleted={() => setPicked(new Set())} />
      <Table.ScrollArea borderWidth="1px" borderRadius="l3" bg="bg.panel">
        <Table.Root css={{ '& tr': { bg: 'transparent' }, '& tr:last-child td': { borderBottomWidth: 0 } }}>
          <Table.Header>
            <Table.Row>
              <Table.ColumnHeader w="10">
                <Pick
                  label="Select all on this page"
                  checked={here.length === all.length ? true : here.length > 0 && 'indeterminate'}
                  onChange={(on) => toggle(all, on)}
                />
              </Table.ColumnHeader>
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
                  <Pick
                    label={`Select the run of ${execution.agentflow.name}`}
                    checked={picked.has(execution.id)}
                    onChange={(on) => toggle([execution.id], on)}
                  />
                </Table.Cell>
                <Table.Cell minW={{ md: '40' }}>
                  <Link to="/executions/$id" params={{ id: execution.id }}>
                    <Text fontWeight="medium" textDecoration="underline" lineClamp={1}>
                      {execution.agentflow.name}
                    </Text>
                  </Link>
                </Table.Cell>
                <Table.Cell>
                  <StateBadge state={execution.state} />
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

interface PickProps {
  label: string
  checked: boolean | 'indeterminate'
  onChange: (on: boolean) => void
}

function Pick({ label, checked, onChange }: PickProps) {
  return (
    <Checkbox.Root minW="6" minH="6" checked={checked} onCheckedChange={(change) => onChange(change.checked === true)}>
      <Checkbox.HiddenInput aria-label={label} />
      <Checkbox.Control />
    </Checkbox.Root>
  )
}

function DeletePicked({ ids, onDeleted }: { ids: string[]; onDeleted: () => void }) {
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () => deleteExecutions(ids),
    onSuccess: async () => {
      onDeleted()
      await client.invalidateQueries({ queryKey: ['executions'] })
    },
    onError: (error) => notify.error(`Nothing was deleted: ${error.message}`),
  })
  const ask = async () => {
    const many = ids.length === 1 ? 'this execution' : `these ${ids.length} executions`
    const sure = await confirm({
      title: `Delete ${many}?`,
      description: 'Steps, inputs and outputs are gone for good. Chat messages stay.',
      confirmButtonName: 'Delete',
      cancelButtonName: 'Cancel',
      danger: true,
    })
    if (sure) remove.mutate()
  }
  return (
    <Flex minH="9" align="center" gap="3">
      <Text color="fg.muted" textStyle="sm">
        {ids.length === 0 ? 'Select executions to delete them.' : `${ids.length} selected`}
      </Text>
      {ids.length > 0 && (
        <Button size="sm" variant="outline" colorPalette="danger" loading={remove.isPending} onClick={ask}>
          <IconTrash size={16} aria-hidden /> Delete
        </Button>
      )}
    </Flex>
  )
}

function Pager({ page, total, onPage }: { page: number; total: number; onPage: (page: number) => void }) {
  const last = Math.ceil(total / PAGE_SIZE)
  return (
    <Flex as="nav" aria-label="Pages" justify="center" align="center" gap="4">
      <Button size="sm" variant="outline" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Newer
      </Button>
      <Text color="fg.muted">
        Page {page} of {last}
      </Text>
      <Button size="sm" variant="outline" disabled={page >= last} onClick={() => onPage(page + 1)}>
        Older
      </Button>
    </Flex>
  )
}

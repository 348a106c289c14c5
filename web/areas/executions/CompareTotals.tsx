import { Box, Flex, SimpleGrid, Table, Text } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import type { RunComparison } from '#contract/runs/compare.ts'
import type { ExecutionDetail } from '#contract/runs/executions.ts'
import { StateBadge } from '../../chat/trace/states.tsx'
import { formatCost, formatDuration } from '../../ui/format.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { percentChange } from './percent-change.ts'
import { RunBadge } from './RunBadge.tsx'
import { RunLink } from './RunLineage.tsx'

interface CompareTotalsProps {
  a: ExecutionDetail
  b: ExecutionDetail
  comparison: RunComparison
}

/** The two runs and their totals. */
export function CompareTotals({ a, b, comparison }: CompareTotalsProps) {
  const { totals } = comparison
  const cost = (dollars: number | null) => (dollars === null ? '–' : formatCost(dollars))
  const time = (ms: number | null) => (ms === null ? 'still running' : formatDuration(ms))
  return (
    <Flex direction="column" gap="4">
      <SimpleGrid columns={{ base: 1, md: 2 }} gap="4">
        <Run mark="A" execution={a} />
        <Run mark="B" execution={b} />
      </SimpleGrid>
      <Box borderWidth="1px" borderRadius="l3" bg="bg.panel" overflowX="auto">
        <Table.Root
          size="sm"
          css={{ '& tr': { bg: 'transparent' }, '& tbody tr:last-child > *': { borderBottomWidth: 0 } }}
        >
          <Table.Header>
            <Table.Row>
              <Table.ColumnHeader>Total</Table.ColumnHeader>
              <Table.ColumnHeader textAlign="end">A</Table.ColumnHeader>
              <Table.ColumnHeader textAlign="end">B</Table.ColumnHeader>
              <Table.ColumnHeader textAlign="end">Change</Table.ColumnHeader>
            </Table.Row>
          </Table.Header>
          <Table.Body>
            <Total label="Steps" pair={totals.steps} format={String} />
            <Total label="Tokens" pair={totals.tokens} format={(count) => count.toLocaleString()} />
            <Total label="Cost" pair={totals.cost} format={cost} />
            <Total label="Duration" pair={totals.duration} format={time} />
          </Table.Body>
        </Table.Root>
      </Box>
      <Text>{pathText(comparison)}</Text>
    </Flex>
  )
}

function Run({ mark, execution }: { mark: 'A' | 'B'; execution: ExecutionDetail }) {
  return (
    <Flex gap="3" align="center" wrap="wrap" borderWidth="1px" borderRadius="l3" bg="bg.panel" p="4">
      <RunBadge mark={mark} />
      <Box flex="1" minW="0">
        <RunLink id={execution.id}>{execution.agentflow.name}</RunLink>
        <Text fontSize="sm" color="fg.muted">
          <RelativeTime date={execution.createdDate} /> · version {execution.flowVersion}
        </Text>
      </Box>
      <StateBadge state={execution.state} endedBy={execution.endedBy} />
    </Flex>
  )
}

interface TotalProps<Value extends number | null> {
  label: string
  pair: { a: Value; b: Value }
  format: (value: Value) => string
}

function Total<Value extends number | null>({ label, pair, format }: TotalProps<Value>): ReactNode {
  return (
    <Table.Row>
      <Table.ColumnHeader scope="row" fontWeight="medium">
        {label}
      </Table.ColumnHeader>
      <Table.Cell textAlign="end">{format(pair.a)}</Table.Cell>
      <Table.Cell textAlign="end">{format(pair.b)}</Table.Cell>
      <Table.Cell textAlign="end" color="fg.muted">
        {percentChange(pair)}
      </Table.Cell>
    </Table.Row>
  )
}

function pathText({ isSamePath, steps }: RunComparison): string {
  if (isSamePath) return 'Both runs took the same path.'
  const only = (kind: 'onlyA' | 'onlyB') => steps.filter((step) => step.kind === kind).length
  const count = (number: number) => `${number} ${number === 1 ? 'step' : 'steps'}`
  return `The runs took different paths: ${count(only('onlyA'))} only in A, ${count(only('onlyB'))} only in B.`
}

import { Flex, Table, Text, Link as TextLink, VisuallyHidden } from '@chakra-ui/react'
import { IconClock, IconWebhook } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Trigger, TriggerSummary } from '#contract/triggers/index.ts'
import { DeliveryBadge, KIND_LABELS, TriggerBadge } from '../../inputs/trigger/badges.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { costText, countsText, p95Text, successRate } from './figures.ts'
import { TriggerMenu } from './TriggerMenu.tsx'

interface TriggerTableProps {
  triggers: TriggerSummary[]
  onEdit: (trigger: Trigger) => void
}

/** One page of triggers, with statistics of the last seven days. */
export function TriggerTable({ triggers, onEdit }: TriggerTableProps) {
  return (
    <Table.ScrollArea borderWidth="1px" borderRadius="l3" bg="bg.panel">
      <Table.Root
        aria-label="Triggers"
        css={{ '& tr': { bg: 'transparent' }, '& tr:last-child td': { borderBottomWidth: 0 } }}
      >
        <Table.Header>
          <Table.Row>
            <Table.ColumnHeader>Trigger</Table.ColumnHeader>
            <Table.ColumnHeader>Status</Table.ColumnHeader>
            <Table.ColumnHeader hideBelow="md">Next run</Table.ColumnHeader>
            <Table.ColumnHeader hideBelow="md">Last delivery</Table.ColumnHeader>
            <Table.ColumnHeader hideBelow="lg" textAlign="end">
              Success
            </Table.ColumnHeader>
            <Table.ColumnHeader hideBelow="lg" textAlign="end" title="95% of runs finished within this time">
              p95
            </Table.ColumnHeader>
            <Table.ColumnHeader hideBelow="lg" textAlign="end">
              Cost
            </Table.ColumnHeader>
            <Table.ColumnHeader w="16" position="relative">
              <VisuallyHidden>Actions</VisuallyHidden>
            </Table.ColumnHeader>
          </Table.Row>
        </Table.Header>
        <Table.Body>
          {triggers.map((trigger) => (
            <Table.Row key={trigger.id}>
              <Table.Cell whiteSpace="normal" minW="40">
                <NameCell trigger={trigger} />
              </Table.Cell>
              <Table.Cell title={trigger.stateReason ?? undefined}>
                <TriggerBadge state={trigger.state} />
              </Table.Cell>
              <Table.Cell hideBelow="md" whiteSpace="nowrap">
                <NextRun trigger={trigger} />
              </Table.Cell>
              <Table.Cell hideBelow="md" whiteSpace="nowrap">
                <LastDelivery trigger={trigger} />
              </Table.Cell>
              <Table.Cell hideBelow="lg" textAlign="end" title={countsText(trigger)}>
                {successRate(trigger)}
              </Table.Cell>
              <Table.Cell hideBelow="lg" textAlign="end" whiteSpace="nowrap">
                {p95Text(trigger)}
              </Table.Cell>
              <Table.Cell hideBelow="lg" textAlign="end">
                {costText(trigger)}
              </Table.Cell>
              <Table.Cell textAlign="end">
                <TriggerMenu trigger={trigger} onEdit={onEdit} />
              </Table.Cell>
            </Table.Row>
          ))}
        </Table.Body>
      </Table.Root>
    </Table.ScrollArea>
  )
}

function NameCell({ trigger }: { trigger: TriggerSummary }) {
  const { id, name, kind, flow, nextDue } = trigger
  const Icon = kind === 'schedule' ? IconClock : IconWebhook
  return (
    <Flex gap="2.5" align="center">
      <Icon size={18} role="img" aria-label={KIND_LABELS[kind]} style={{ flex: 'none' }} />
      <div>
        <TextLink asChild fontWeight="medium" color="fg" overflowWrap="anywhere">
          <Link to="/triggers/$id" params={{ id }}>
            {name}
          </Link>
        </TextLink>
        <Text textStyle="xs" color="fg.muted" overflowWrap="anywhere">
          {flow.name}
        </Text>
        <Text hideFrom="md" textStyle="xs" color="fg.muted">
          {nextDue ? 'Next: ' : 'Last: '}
          {nextDue ? <NextRun trigger={trigger} /> : <LastDate trigger={trigger} />}
        </Text>
      </div>
    </Flex>
  )
}

/** The next run as a relative time; the tooltip has the exact time in the trigger's zone. */
function NextRun({ trigger: { nextDue, settings } }: { trigger: Trigger }) {
  if (!nextDue || settings.kind !== 'schedule') return '–'
  return <RelativeTime date={nextDue} timeZone={settings.timezone} ahead />
}

const LastDate = ({ trigger: { lastDelivery } }: { trigger: TriggerSummary }) =>
  lastDelivery ? <RelativeTime date={lastDelivery.date} /> : 'never'

function LastDelivery({ trigger: { id, lastDelivery } }: { trigger: TriggerSummary }) {
  if (!lastDelivery) return <Text color="fg.muted">None yet</Text>
  return (
    <Flex gap="2" align="center">
      <Link to="/triggers/$id" params={{ id }} search={{ delivery: lastDelivery.id }}>
        <DeliveryBadge state={lastDelivery.state} />
      </Link>
      <RelativeTime date={lastDelivery.date} />
    </Flex>
  )
}

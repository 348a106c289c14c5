import { Stack, Text } from '@chakra-ui/react'
import { useState } from 'react'
import { AUDIT_EVENTS } from '#contract/organization/audit.ts'
import type { AuditRecord } from '#contract/organization/records.ts'
import { ChoiceFilter, DateFilter, TextFilter } from '../../ui/lists/filters.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import type { Filters } from './queries.ts'
import { RecordList } from './RecordList.tsx'

const EVENTS = AUDIT_EVENTS.map((event) => [event, eventName(event)] as const)

/** Audit log of the organization. */
export default function AuditPanel() {
  const [filters, setFilters] = useState<Filters>({})
  const set = (name: string) => (value?: string) => setFilters({ ...filters, [name]: value })
  return (
    <RecordList<AuditRecord>
      path="/audit-log"
      noun="events"
      filters={filters}
      canExport
      columns={[
        { header: 'When', cell: ({ createdDate }) => <RelativeTime date={createdDate} /> },
        { header: 'Who', cell: ({ actorName, actorKind }) => actorName || KINDS[actorKind] },
        { header: 'What', cell: ({ event }) => eventName(event) },
        { header: 'Target', cell: ({ targetName }) => targetName },
        { header: 'Change', cell: ({ change }) => <Change of={change} />, minor: true },
        { header: 'From', cell: ({ address }) => address ?? '–', minor: true },
      ]}
      empty={{ title: 'No events yet', text: 'Changes to credentials, keys, people and permissions appear here.' }}
    >
      <TextFilter label="Who" value={filters.actor} onCommit={set('actor')} />
      <ChoiceFilter label="What" value={filters.event} options={EVENTS} onChange={set('event')} />
      <TextFilter label="Target" value={filters.target} onCommit={set('target')} />
      <DateFilter label="Since" value={filters.from} onChange={set('from')} />
      <DateFilter label="Until" value={filters.to} onChange={set('to')} endOfDay />
    </RecordList>
  )
}

const KINDS: Record<AuditRecord['actorKind'], string> = {
  user: 'A person',
  apiKey: 'An API key',
  directory: 'The directory',
  system: 'Heddle',
}

/** `api-key.create` becomes `API key: create`. */
function eventName(event: string): string {
  const [area = '', verb = ''] = event.replaceAll('-', ' ').split('.')
  const name = area.replace(/^api\b/, 'API').replace(/^scim\b/, 'SCIM')
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${verb}`
}

function Change({ of }: { of: AuditRecord['change'] }) {
  const fields = Object.entries(of ?? {})
  if (fields.length === 0) return '–'
  return (
    <Stack gap="1">
      {fields.map(([name, value]) => (
        <Text key={name} textStyle="sm" lineClamp={3}>
          {name}: {changeText(value)}
        </Text>
      ))}
    </Stack>
  )
}

function changeText(value: unknown): string {
  if (value === null) return 'changed'
  if (!Array.isArray(value) || value.length !== 2) return formatValue(value)
  return value[0] === null ? formatValue(value[1]) : `${formatValue(value[0])} → ${formatValue(value[1])}`
}

const formatValue = (value: unknown) =>
  value === null ? 'none' : typeof value === 'string' ? value : (JSON.stringify(value) ?? '')

import { Button, Checkbox, Field, Flex, Input, NativeSelect } from '@chakra-ui/react'
import { useState } from 'react'
import type { RunState } from '#contract/events.ts'
import { stateLabel } from '../../chat/trace/states.tsx'
import type { ExecutionFilters } from './search.ts'

const states: RunState[] = ['INPROGRESS', 'FINISHED', 'STOPPED', 'ERROR', 'TERMINATED', 'TIMEOUT']

interface FiltersProps {
  filters: ExecutionFilters
  onChange: (filters: ExecutionFilters) => void
}

export function Filters({ filters, onChange }: FiltersProps) {
  const set = (change: ExecutionFilters) => onChange({ ...filters, ...change })
  return (
    <Flex gap="3" wrap="wrap" align="end" role="search" aria-label="Filter executions">
      <TextFilter label="Flow" value={filters.agentflowName} onCommit={(agentflowName) => set({ agentflowName })} />
      <Field.Root flex="1 1 8rem" maxW={{ md: '44' }}>
        <Field.Label>State</Field.Label>
        <NativeSelect.Root size="sm">
          <NativeSelect.Field
            value={filters.state ?? ''}
            onChange={(event) => set({ state: (event.target.value || undefined) as RunState | undefined })}
          >
            <option value="">Any</option>
            {states.map((state) => (
              <option key={state} value={state}>
                {stateLabel(state)}
              </option>
            ))}
          </NativeSelect.Field>
          <NativeSelect.Indicator />
        </NativeSelect.Root>
      </Field.Root>
      <TextFilter label="Session" value={filters.sessionId} onCommit={(sessionId) => set({ sessionId })} />
      <DateFilter label="From" value={filters.startDate} onChange={(startDate) => set({ startDate })} />
      <DateFilter label="To" value={filters.endDate} onChange={(endDate) => set({ endDate })} endOfDay />
      <Checkbox.Root
        minH="9"
        checked={filters.isStarred ?? false}
        onCheckedChange={({ checked }) => set({ isStarred: checked === true || undefined })}
      >
        <Checkbox.HiddenInput />
        <Checkbox.Control />
        <Checkbox.Label>Starred</Checkbox.Label>
      </Checkbox.Root>
      {Object.values(filters).some(Boolean) && (
        <Button size="sm" variant="ghost" onClick={() => onChange({})}>
          Clear filters
        </Button>
      )}
    </Flex>
  )
}

interface TextFilterProps {
  label: string
  value?: string
  onCommit: (value?: string) => void
}

/** Filters on Enter or when the field is left, not at every key. */
function TextFilter({ label, value = '', onCommit }: TextFilterProps) {
  const [draft, setDraft] = useState(value)
  const [shown, setShown] = useState(value)
  if (shown !== value) {
    setShown(value)
    setDraft(value)
  }
  const commit = () => draft.trim() !== value && onCommit(draft.trim() || undefined)
  return (
    <Field.Root flex="1 1 8rem" maxW={{ md: '52' }}>
      <Field.Label>{label}</Field.Label>
      <Input
        size="sm"
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => event.key === 'Enter' && commit()}
      />
    </Field.Root>
  )
}

interface DateFilterProps {
  label: string
  /** ISO time. */
  value?: string
  onChange: (value?: string) => void
  endOfDay?: boolean
}

function DateFilter({ label, value, onChange, endOfDay = false }: DateFilterProps) {
  const time = endOfDay ? 'T23:59:59.999' : 'T00:00:00'
  return (
    <Field.Root flex="1 1 8rem" maxW={{ md: '44' }}>
      <Field.Label>{label}</Field.Label>
      <Input
        size="sm"
        type="date"
        value={value ? localDate(new Date(value)) : ''}
        onChange={({ target }) => onChange(target.value ? new Date(target.value + time).toISOString() : undefined)}
      />
    </Field.Root>
  )
}

/** `2026-03-09` in the person's own zone. */
const localDate = (date: Date) =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-')

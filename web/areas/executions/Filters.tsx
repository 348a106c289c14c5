import { Button, Checkbox, Flex } from '@chakra-ui/react'
import type { RunState } from '#contract/runs/events.ts'
import { stateLabel } from '../../chat/trace/states.tsx'
import { ChoiceFilter, DateFilter, TextFilter } from '../../ui/lists/filters.tsx'
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
      <ChoiceFilter
        label="Status"
        value={filters.state}
        options={states.map((state) => [state, stateLabel(state)])}
        onChange={(state) => set({ state })}
      />
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

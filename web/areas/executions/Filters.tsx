import { Button, Checkbox, Flex, Stack } from '@chakra-ui/react'
import { IconFilter } from '@tabler/icons-react'
import { useId, useState } from 'react'
import type { RunState } from '#contract/runs/events.ts'
import { stateLabel } from '../../chat/trace/states.tsx'
import { ChoiceFilter, DateFilter, TextFilter } from '../../ui/lists/filters.tsx'
import type { ExecutionFilters } from './search.ts'

const states: RunState[] = ['INPROGRESS', 'FINISHED', 'STOPPED', 'ERROR', 'TERMINATED', 'TIMEOUT']

interface FiltersProps {
  filters: ExecutionFilters
  onChange: (filters: ExecutionFilters) => void
}

/** The flow to look for, and behind a button the filters that are rarely needed. */
export function Filters({ filters, onChange }: FiltersProps) {
  const set = (change: ExecutionFilters) => onChange({ ...filters, ...change })
  const { agentflowName: _, ...folded } = filters
  const active = Object.values(folded).filter(Boolean).length
  const [isOpen, setOpen] = useState(active > 0)
  const id = useId()
  return (
    <Stack gap="3" role="search" aria-label="Filter executions">
      <Flex gap="3" wrap="wrap" align="end">
        <TextFilter label="Flow" value={filters.agentflowName} onCommit={(agentflowName) => set({ agentflowName })} />
        <Button
          size="sm"
          variant="outline"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen((wasOpen) => !wasOpen)}
        >
          <IconFilter size={16} aria-hidden />
          {active > 0 ? `Filters (${active})` : 'Filters'}
        </Button>
        {Object.values(filters).some(Boolean) && (
          <Button size="sm" variant="ghost" onClick={() => onChange({})}>
            Clear filters
          </Button>
        )}
      </Flex>
      <Flex id={id} display={isOpen ? 'flex' : 'none'} gap="3" wrap="wrap" align="end">
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
      </Flex>
    </Stack>
  )
}

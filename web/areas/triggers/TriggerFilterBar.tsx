import { Button, Flex } from '@chakra-ui/react'
import { KIND_LABELS, optionsOf, TRIGGER_LABELS } from '../../inputs/trigger/badges.tsx'
import { ChoiceFilter, TextFilter } from '../../ui/lists/filters.tsx'
import type { TriggerFilters } from './search.ts'

interface TriggerFilterBarProps {
  filters: TriggerFilters
  onChange: (filters: TriggerFilters) => void
}

export function TriggerFilterBar({ filters, onChange }: TriggerFilterBarProps) {
  const set = (change: TriggerFilters) => onChange({ ...filters, ...change })
  return (
    <Flex gap="3" wrap="wrap" align="end" role="search" aria-label="Filter triggers">
      <TextFilter label="Name or flow" value={filters.search} onCommit={(search) => set({ search })} />
      <ChoiceFilter
        label="Status"
        value={filters.state}
        options={optionsOf(TRIGGER_LABELS)}
        onChange={(state) => set({ state })}
      />
      <ChoiceFilter
        label="Type"
        value={filters.kind}
        options={optionsOf(KIND_LABELS)}
        onChange={(kind) => set({ kind })}
      />
      {Object.values(filters).some(Boolean) && (
        <Button size="sm" variant="ghost" onClick={() => onChange({})}>
          Clear filters
        </Button>
      )}
    </Flex>
  )
}

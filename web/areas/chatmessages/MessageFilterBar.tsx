import { Button, Flex } from '@chakra-ui/react'
import { ChoiceFilter, DateFilter, TextFilter } from '../../ui/lists/filters.tsx'
import type { MessageFilters } from './search.ts'
import { SOURCES } from './sources.ts'

interface MessageFilterBarProps {
  filters: MessageFilters
  onChange: (filters: MessageFilters) => void
}

export function MessageFilterBar({ filters, onChange }: MessageFilterBarProps) {
  const set = (change: MessageFilters) => onChange({ ...filters, ...change })
  return (
    <Flex role="search" aria-label="Filter messages" gap="3" wrap="wrap" align="end">
      <TextFilter label="Text" value={filters.search} onCommit={(search) => set({ search })} />
      <ChoiceFilter
        label="Source"
        value={filters.chatType}
        options={SOURCES}
        onChange={(chatType) => set({ chatType })}
      />
      <ChoiceFilter
        label="Rating"
        value={filters.feedbackType}
        options={[
          ['THUMBS_UP', 'Good answer'],
          ['THUMBS_DOWN', 'Bad answer'],
        ]}
        onChange={(feedbackType) => set({ feedbackType })}
      />
      <DateFilter label="From" value={filters.startDate} onChange={(startDate) => set({ startDate })} />
      <DateFilter label="To" value={filters.endDate} onChange={(endDate) => set({ endDate })} endOfDay />
      {Object.values(filters).some(Boolean) && (
        <Button size="sm" variant="ghost" onClick={() => onChange({})}>
          Clear filters
        </Button>
      )}
    </Flex>
  )
}

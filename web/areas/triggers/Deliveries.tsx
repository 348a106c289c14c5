import { Button, Flex, Heading, Stack, Text } from '@chakra-ui/react'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { Trigger } from '#contract/triggers/index.ts'
import { DELIVERY_LABELS, optionsOf, SOURCE_LABELS } from '../../inputs/trigger/badges.tsx'
import { ChoiceFilter, DateFilter } from '../../ui/lists/filters.tsx'
import { DeliveryRow } from './DeliveryRow.tsx'
import { DeliveryList, PagedDeliveries } from './PagedDeliveries.tsx'
import { deliveriesQuery } from './queries.ts'
import type { DeliveryFilters, TriggerSearch } from './search.ts'

interface DeliveriesProps {
  trigger: Trigger
  search: TriggerSearch
  onSearch: (search: TriggerSearch) => void
}

/** The deliveries of a trigger, newest first, with at most one expanded. */
export function Deliveries({ trigger, search, onSearch }: DeliveriesProps) {
  const { delivery: open, ...filters } = search
  const query = useInfiniteQuery(deliveriesQuery(trigger.id, filters))
  const isFiltered = Object.values(filters).some(Boolean)
  return (
    <Stack as="section" gap="4" aria-labelledby="deliveries">
      <Heading as="h2" id="deliveries" size="md">
        Deliveries
      </Heading>
      <DeliveryFilterBar filters={filters} onChange={onSearch} />
      <PagedDeliveries
        noun="deliveries"
        query={query}
        empty={
          <Text color="fg.muted" py="6" role="status">
            {isFiltered ? 'No deliveries match these filters.' : emptyText(trigger)}
          </Text>
        }
      >
        {(deliveries) => (
          <DeliveryList label="Deliveries">
            {deliveries.map((delivery) => (
              <DeliveryRow
                key={delivery.id}
                delivery={delivery}
                trigger={trigger}
                isOpen={delivery.id === open}
                onOpen={(id) => onSearch({ ...filters, ...(id !== undefined && { delivery: id }) })}
              />
            ))}
          </DeliveryList>
        )}
      </PagedDeliveries>
    </Stack>
  )
}

const emptyText = ({ kind }: Trigger) =>
  kind === 'schedule'
    ? 'No deliveries yet. Wait for the next run, or choose Run now.'
    : 'No deliveries yet. Send a request to the webhook URL, or choose Run now.'

interface DeliveryFilterBarProps {
  filters: DeliveryFilters
  onChange: (filters: DeliveryFilters) => void
}

function DeliveryFilterBar({ filters, onChange }: DeliveryFilterBarProps) {
  const set = (change: DeliveryFilters) => onChange({ ...filters, ...change })
  return (
    <Flex gap="3" wrap="wrap" align="end" role="search" aria-label="Filter deliveries">
      <ChoiceFilter
        label="Status"
        value={filters.state}
        options={optionsOf(DELIVERY_LABELS)}
        onChange={(state) => set({ state })}
      />
      <ChoiceFilter
        label="Source"
        value={filters.source}
        options={optionsOf(SOURCE_LABELS)}
        onChange={(source) => set({ source })}
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

import { Flex, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { formatCount } from '#contract/data/format.ts'
import { statsQuery } from './queries.ts'
import type { MessageFilters } from './search.ts'

/** Counts of messages and ratings. */
export function Totals({ flowId, filters }: { flowId: string; filters: MessageFilters }) {
  const { data } = useQuery(statsQuery(flowId, filters))
  if (!data) return null
  const { totalSessions, totalMessages, totalFeedback, positiveFeedback } = data
  const totals = [
    ['Sessions', formatCount(totalSessions)],
    ['Messages', formatCount(totalMessages)],
    ['Ratings', formatCount(totalFeedback)],
    ['Positive ratings', totalFeedback === 0 ? '–' : `${Math.round((100 * positiveFeedback) / totalFeedback)} %`],
  ]
  return (
    <Flex as="dl" gap={{ base: '6', md: '10' }} wrap="wrap" aria-label="Totals">
      {totals.map(([name, value]) => (
        <Flex key={name} direction="column-reverse">
          <Text as="dt" textStyle="sm" color="fg.muted">
            {name}
          </Text>
          <Text as="dd" fontSize="xl" fontWeight="semibold">
            {value}
          </Text>
        </Flex>
      ))}
    </Flex>
  )
}

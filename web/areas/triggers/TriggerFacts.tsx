import { Box, Card, Flex, Heading, SimpleGrid, Skeleton, Text } from '@chakra-ui/react'
import { lazy, Suspense } from 'react'
import { plainText } from '#contract/flow/params/rich-text.ts'
import type { TriggerSummary } from '#contract/triggers/index.ts'
import { FIELD_LABELS } from '#contract/triggers/labels.ts'
import type { ScheduleSettings } from '#contract/triggers/settings.ts'
import { WebhookAddress } from '../../inputs/trigger/WebhookAddress.tsx'
import { TextBlock } from '../../ui/TextBlock.tsx'
import { useCanChange } from './access.ts'
import { costText, countsText, p95Text, successRate } from './figures.ts'

const NextRuns = lazy(() => import('../../inputs/trigger/NextRuns.tsx'))

/** Next runs or webhook URL, and the statistics of the last seven days. */
export function TriggerFacts({ trigger }: { trigger: TriggerSummary }) {
  const { settings, state } = trigger
  const canChange = useCanChange()(trigger)
  return (
    <SimpleGrid columns={{ base: 1, lg: 2 }} gap="4" alignItems="start">
      <Card.Root borderRadius="l3" minW="0">
        <Card.Body gap="3">
          {settings.kind === 'schedule' ? (
            <>
              <Heading as="h2" size="sm">
                {state === 'active' ? 'Next runs' : 'Schedule'}
              </Heading>
              <Suspense fallback={<Skeleton h="36" />}>
                <NextRuns timing={settings} />
              </Suspense>
              <ScheduleInput input={settings.input} />
            </>
          ) : (
            <>
              <Heading as="h2" size="sm">
                Endpoint
              </Heading>
              <WebhookAddress trigger={trigger} settings={settings} canChange={canChange} />
            </>
          )}
        </Card.Body>
      </Card.Root>
      <Card.Root borderRadius="l3">
        <Card.Body gap="3">
          <Heading as="h2" size="sm">
            Last 7 days
          </Heading>
          <Flex gap="8" wrap="wrap">
            <Figure label="Success rate" value={successRate(trigger)} />
            <Figure label="p95 duration" value={p95Text(trigger)} />
            <Figure label="Cost" value={costText(trigger)} />
          </Flex>
          <Text textStyle="sm" color="fg.muted">
            {countsText(trigger)}.
          </Text>
        </Card.Body>
      </Card.Root>
    </SimpleGrid>
  )
}

function ScheduleInput({ input }: Pick<ScheduleSettings, 'input'>) {
  if (input.mode === 'none') return null
  const text = input.mode === 'text' ? plainText(input.text) : JSON.stringify(input.form, null, 2)
  const label = input.mode === 'text' ? FIELD_LABELS.text : FIELD_LABELS.form
  return (
    <Box>
      <Text textStyle="xs" color="fg.muted" aria-hidden>
        {label}
      </Text>
      <TextBlock label={label} text={text} />
    </Box>
  )
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <Box>
      <Text textStyle="xs" color="fg.muted">
        {label}
      </Text>
      <Text textStyle="xl" fontWeight="semibold">
        {value}
      </Text>
    </Box>
  )
}

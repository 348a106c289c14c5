import { Box, Button, Card, Flex, Heading, SimpleGrid, Text } from '@chakra-ui/react'
import { type Icon, IconClock, IconWebhook } from '@tabler/icons-react'
import type { TriggerKind } from '#contract/triggers/settings.ts'

interface NoTriggersProps {
  canCreate: boolean
  onCreate: (kind: TriggerKind) => void
}

/** The empty state: what schedules and webhooks are for, and how to create one. */
export function NoTriggers({ canCreate, onCreate }: NoTriggersProps) {
  return (
    <Flex direction="column" gap="6" py="6" align="center">
      <Box textAlign="center">
        <Heading as="h2" size="lg">
          Automate a flow
        </Heading>
        <Text color="fg.muted" mt="1" maxW="xl">
          Every run is recorded as a delivery, with its request, response and the reason it was skipped or failed.
        </Text>
      </Box>
      <SimpleGrid columns={{ base: 1, md: 2 }} gap="4" w="full" maxW="4xl">
        <KindCard
          icon={IconClock}
          title="On a schedule"
          steps={[
            'Choose a flow and pick days and times, or write a cron expression.',
            'Preview the next five runs in your time zone.',
            'Each run starts exactly once.',
          ]}
          action="New schedule"
          {...(canCreate && { onCreate: () => onCreate('schedule') })}
        />
        <KindCard
          icon={IconWebhook}
          title="By webhook"
          steps={[
            'Choose a flow and a sender: GitHub, Stripe, Slack, Shopify or your own service.',
            'Copy the URL and the secret to the sender.',
            'Only requests with a valid signature start the flow.',
          ]}
          action="New webhook"
          {...(canCreate && { onCreate: () => onCreate('webhook') })}
        />
      </SimpleGrid>
      <Text color="fg.muted" textStyle="sm" textAlign="center" maxW="xl">
        You can also set the Input type of a flow’s Start node to Schedule input or Webhook trigger. The trigger appears
        here after you save the flow.
      </Text>
    </Flex>
  )
}

interface KindCardProps {
  icon: Icon
  title: string
  steps: string[]
  action: string
  onCreate?: () => void
}

function KindCard({ icon: KindIcon, title, steps, action, onCreate }: KindCardProps) {
  return (
    <Card.Root borderRadius="l3">
      <Card.Body gap="3">
        <Box color="accent.fg">
          <KindIcon size={28} aria-hidden />
        </Box>
        <Heading as="h3" size="md">
          {title}
        </Heading>
        <Box as="ol" ps="5" listStyleType="decimal" textStyle="sm" color="fg.muted">
          {steps.map((step) => (
            <Box as="li" key={step} mb="1">
              {step}
            </Box>
          ))}
        </Box>
        {onCreate && (
          <Button mt="auto" alignSelf="start" colorPalette="accent" onClick={onCreate}>
            {action}
          </Button>
        )}
      </Card.Body>
    </Card.Root>
  )
}

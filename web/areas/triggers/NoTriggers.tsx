import { Box, Button, Card, Flex, Heading, SimpleGrid, Text } from '@chakra-ui/react'
import { type Icon, IconClock, IconWebhook } from '@tabler/icons-react'
import type { TriggerKind } from '#contract/triggers/settings.ts'

interface NoTriggersProps {
  mayMake: boolean
  onCreate: (kind: TriggerKind) => void
}

/** Where no trigger is yet: what the two kinds are for, and how to make one. */
export function NoTriggers({ mayMake, onCreate }: NoTriggersProps) {
  return (
    <Flex direction="column" gap="6" py="6" align="center">
      <Box textAlign="center">
        <Heading as="h2" size="lg">
          Let a flow run by itself
        </Heading>
        <Text color="fg.muted" mt="1" maxW="xl">
          Each time it starts is kept here as a delivery: what came, what the flow answered, what was skipped and why.
        </Text>
      </Box>
      <SimpleGrid columns={{ base: 1, md: 2 }} gap="4" w="full" maxW="4xl">
        <Way
          icon={IconClock}
          title="By the clock"
          steps={[
            'Choose a flow, and days and times, or a cron expression.',
            'See its next five runs while you type, in your time zone.',
            'Each run that is due starts exactly once.',
          ]}
          action="New schedule"
          {...(mayMake && { onCreate: () => onCreate('schedule') })}
        />
        <Way
          icon={IconWebhook}
          title="By a request"
          steps={[
            'Choose a flow and who calls: GitHub, Stripe, Slack, Shopify, or your own service.',
            'Copy the address and the secret, and paste both at the sender.',
            'Only requests with a right signature start the flow.',
          ]}
          action="New webhook"
          {...(mayMake && { onCreate: () => onCreate('webhook') })}
        />
      </SimpleGrid>
      <Text color="fg.muted" textStyle="sm" textAlign="center" maxW="xl">
        You can also set the Input Type of a flow’s Start node to Schedule Input or Webhook Trigger: it appears here
        when you save the flow.
      </Text>
    </Flex>
  )
}

interface WayProps {
  icon: Icon
  title: string
  steps: string[]
  action: string
  onCreate?: () => void
}

function Way({ icon: WayIcon, title, steps, action, onCreate }: WayProps) {
  return (
    <Card.Root borderRadius="l3">
      <Card.Body gap="3">
        <Box color="accent.fg">
          <WayIcon size={28} aria-hidden />
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

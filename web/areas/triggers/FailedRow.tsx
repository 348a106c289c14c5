import { Box, Flex, Stack, Text, Link as TextLink } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import type { DeadDelivery } from '#contract/triggers/index.ts'
import { DeliveryBadge } from '../../inputs/trigger/badges.tsx'
import { SelectCheckbox } from '../../ui/lists/SelectCheckbox.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'

interface FailedRowProps {
  delivery: DeadDelivery
  /** Absent when the user can't replay this delivery. */
  selection?: { checked: boolean; onChange: (on: boolean) => void }
}

/** One failed delivery: trigger, flow, time, attempts, reason and the status of its latest replay. */
export function FailedRow({ delivery, selection }: FailedRowProps) {
  const { id, trigger, flow, dueDate, attempts, reason, lastReplay } = delivery
  return (
    <Flex as="li" gap="3" px="4" py="3" css={{ '& + &': { borderTopWidth: '1px' } }}>
      {selection && <SelectCheckbox label={`Select the delivery of ${trigger.name}`} {...selection} />}
      <Stack gap="1" flex="1" minW="0" textStyle="sm">
        <Flex columnGap="3" rowGap="1" wrap="wrap" align="center">
          <TextLink asChild fontWeight="medium" color="fg" minH="6" overflowWrap="anywhere">
            {/* `endDate` puts the delivery first in the list, however old it is. */}
            <Link
              to="/triggers/$id"
              params={{ id: trigger.id }}
              search={{ state: 'dead', endDate: dueDate, delivery: id }}
            >
              {trigger.name}
            </Link>
          </TextLink>
          <Text as="span" color="fg.muted" overflowWrap="anywhere">
            {flow.name}
          </Text>
          <Text as="span" color="fg.muted" ms={{ md: 'auto' }} whiteSpace="nowrap">
            {attempts === 1 ? '1 attempt' : `${attempts} attempts`} · <RelativeTime date={dueDate} />
          </Text>
        </Flex>
        <Text overflowWrap="anywhere" lineClamp={3}>
          {reason ?? 'No reason given.'}
        </Text>
        {lastReplay && (
          <Flex gap="2" align="center">
            <Text as="span" color="fg.muted">
              Replayed
            </Text>
            <TextLink asChild minH="6">
              <Link
                to="/triggers/$id"
                params={{ id: trigger.id }}
                search={{ source: 'replay', delivery: lastReplay.id }}
              >
                <Box as="span">
                  <DeliveryBadge state={lastReplay.state} />
                </Box>
              </Link>
            </TextLink>
          </Flex>
        )}
      </Stack>
    </Flex>
  )
}

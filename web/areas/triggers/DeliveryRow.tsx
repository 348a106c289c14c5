import { Box, chakra, Flex, Text } from '@chakra-ui/react'
import { IconChevronRight } from '@tabler/icons-react'
import type { Delivery, Trigger } from '#contract/triggers/index.ts'
import { DeliveryBadge, SOURCE_LABELS } from '../../inputs/trigger/badges.tsx'
import { formatCost, formatDuration } from '../../ui/format.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { DeliveryDetails } from './DeliveryDetails.tsx'

interface DeliveryRowProps {
  delivery: Delivery
  trigger: Trigger
  isOpen: boolean
  /** Called with undefined to collapse the row. */
  onOpen: (id: string | undefined) => void
}

/** One delivery as a row that expands to its details. */
export function DeliveryRow({ delivery, trigger, isOpen, onOpen }: DeliveryRowProps) {
  const { id, state, source, dueDate, reason } = delivery
  const details = `delivery-${id}`
  return (
    <Box as="li" css={{ '& + &': { borderTopWidth: '1px' } }}>
      <chakra.button
        type="button"
        w="full"
        px="4"
        py="2.5"
        textAlign="start"
        textStyle="sm"
        cursor="pointer"
        _hover={{ bg: 'bg.subtle' }}
        _focusVisible={{ outlineOffset: '-2px' }}
        aria-expanded={isOpen}
        {...(isOpen && { 'aria-controls': details })}
        onClick={() => onOpen(isOpen ? undefined : id)}
      >
        <Flex align="center" gap="3" wrap="wrap">
          <chakra.span transform={isOpen ? 'rotate(90deg)' : undefined} transition="transform" color="fg.muted">
            <IconChevronRight size={16} aria-hidden />
          </chakra.span>
          <Box minW="24">
            <DeliveryBadge state={state} />
          </Box>
          <Text as="span" minW="32">
            <RelativeTime date={dueDate} {...displayZone(trigger)} />
          </Text>
          <Text as="span" color="fg.muted" minW="24">
            {SOURCE_LABELS[source]}
          </Text>
          <Text as="span" color="fg.muted" ms={{ md: 'auto' }}>
            {deliverySummary(delivery)}
          </Text>
        </Flex>
        {reason && !isOpen && (
          <Text textStyle="sm" color="fg.muted" ps="7" lineClamp={1} overflowWrap="anywhere">
            {reason}
          </Text>
        )}
      </chakra.button>
      {isOpen && (
        <Box id={details} px={{ base: '4', md: '11' }} pb="5" pt="1">
          <DeliveryDetails id={id} trigger={trigger} onReplayed={onOpen} />
        </Box>
      )}
    </Box>
  )
}

/** Schedules show times in their own time zone, webhooks in the browser's. */
const displayZone = ({ settings }: Trigger) => (settings.kind === 'schedule' ? { timeZone: settings.timezone } : {})

function deliverySummary({ attempts, duration, totalCost }: Delivery): string {
  return [
    attempts > 1 && `${attempts} attempts`,
    duration !== null && formatDuration(duration),
    totalCost !== null && totalCost > 0 && formatCost(totalCost),
  ]
    .filter(Boolean)
    .join(' · ')
}

import { Box, Button, Flex, Spinner, Stack, Text } from '@chakra-ui/react'
import { IconEar } from '@tabler/icons-react'
import type { DeliveryDetail } from '#contract/triggers/index.ts'
import { DeliveryBadge } from '../../../../inputs/trigger/badges.tsx'
import { Notice } from '../../../../ui/feedback/Notice.tsx'
import { RelativeTime } from '../../../../ui/RelativeTime.tsx'
import { FieldList } from './FieldList.tsx'
import { useListening } from './listening.ts'
import { fieldsOf, requestOf } from './request-fields.ts'

interface TestListenerProps {
  nodeId: string
  triggerId: string
}

/** Captures the next real request to choose fields from it. */
export function TestListener({ nodeId, triggerId }: TestListenerProps) {
  const { isListening, isStarting, delivery, listen, stop } = useListening(triggerId)
  return (
    <Stack gap="3">
      {isListening ? (
        <Notice role="status" display="flex" gap="3" alignItems="center">
          <Spinner size="sm" aria-hidden />
          <Box flex="1">Listening. Send a request to the URL.</Box>
          <Button size="xs" variant="outline" onClick={stop}>
            Stop
          </Button>
        </Notice>
      ) : (
        <Box>
          <Button size="sm" variant="outline" loading={isStarting} onClick={() => void listen()}>
            <IconEar aria-hidden />
            {delivery ? 'Listen again' : 'Listen for a request'}
          </Button>
          {!delivery && (
            <Text textStyle="xs" color="fg.muted" mt="1">
              Captures the next request, so that you can use its fields.
            </Text>
          )}
        </Box>
      )}
      {delivery && <CapturedRequest nodeId={nodeId} delivery={delivery} />}
    </Stack>
  )
}

function CapturedRequest({ nodeId, delivery }: { nodeId: string; delivery: DeliveryDetail }) {
  const { state, reason, dueDate, request } = delivery
  const came = requestOf(delivery)
  return (
    <Stack as="section" gap="2" aria-label="Captured request">
      <Flex textStyle="sm" fontWeight="semibold" gap="2" align="center">
        {request?.method ?? 'Request'} <DeliveryBadge state={state} />
        <Text as="span" color="fg.muted" fontWeight="normal">
          <RelativeTime date={dueDate} />
        </Text>
      </Flex>
      {reason && (
        <Notice kind="warning" overflowWrap="anywhere">
          {reason}
        </Notice>
      )}
      {came && <FieldList nodeId={nodeId} fields={fieldsOf(came)} />}
    </Stack>
  )
}

import { Box, Stack, Text } from '@chakra-ui/react'
import type { Callback, DeliveryDetail, DeliveryRequest, DeliveryResponse } from '#contract/triggers/index.ts'
import { Collapsible } from '../../ui/Collapsible.tsx'
import { TextBlock } from '../../ui/TextBlock.tsx'

/** The request or payload of a delivery, the response, and the callback that carried it. */
export function RequestResponse({ delivery }: { delivery: DeliveryDetail }) {
  const { request, payload, response, callback } = delivery
  return (
    <Stack gap="3">
      {request && (
        <Collapsible title="Request" open>
          <Request request={request} />
        </Collapsible>
      )}
      {payload && Object.keys(payload).length > 0 && !request && (
        <Collapsible title="Payload" open>
          <TextBlock label="Payload" text={JSON.stringify(payload, null, 2)} />
        </Collapsible>
      )}
      {response && (
        <Collapsible title={`Response: ${response.status}`} open>
          <Response response={response} />
        </Collapsible>
      )}
      {callback && (
        <Collapsible title="Callback" open>
          <CallbackFacts callback={callback} />
        </Collapsible>
      )}
    </Stack>
  )
}

function Request({ request: { method, headers, query, body, isCut } }: { request: DeliveryRequest }) {
  const search = Object.entries(query)
  return (
    <Stack gap="2" mt="1">
      <Text textStyle="sm">
        {method}
        {search.length > 0 && ` with ${search.map(([name, value]) => `${name}=${bodyText(value)}`).join(', ')}`}
      </Text>
      <TextBlock label="Headers" text={headerLines(headers)} />
      {body === '' ? (
        <Text textStyle="sm" color="fg.muted">
          No body.
        </Text>
      ) : (
        <TextBlock label="Body" text={formatJson(body)} />
      )}
      {isCut && (
        <Text textStyle="xs" color="fg.muted">
          Only the first 64 KB of the body are stored.
        </Text>
      )}
    </Stack>
  )
}

const Response = ({ response: { body } }: { response: DeliveryResponse }) =>
  body === '' ? (
    <Text textStyle="sm" color="fg.muted">
      No body.
    </Text>
  ) : (
    <TextBlock label="Response" text={formatJson(body)} />
  )

function CallbackFacts({ callback: { url, attempts, status, error, isDelivered } }: { callback: Callback }) {
  const count = attempts === 1 ? '1 attempt' : `${attempts} attempts`
  return (
    <Box textStyle="sm" mt="1" overflowWrap="anywhere">
      <Text>
        {isDelivered ? 'Delivered to' : 'Not delivered to'} {url} after {count}
        {status !== null && `, status ${status}`}.
      </Text>
      {error && <Text color="fg.error">{error}</Text>}
    </Box>
  )
}

const bodyText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

const headerLines = (values: Record<string, string>) =>
  Object.entries(values)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

/** Returns indented JSON, or the text unchanged when it is not JSON. */
function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

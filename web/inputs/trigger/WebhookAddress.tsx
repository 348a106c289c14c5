import { Stack, Text } from '@chakra-ui/react'
import type { Trigger } from '#contract/triggers/index.ts'
import type { WebhookSettings } from '#contract/triggers/settings.ts'
import { Collapsible } from '../../ui/Collapsible.tsx'
import { CopyBlock, CopyField } from '../../ui/CopyField.tsx'
import { curlOf } from './curl.ts'
import { addressOf } from './queries.ts'
import { SecretField } from './SecretField.tsx'
import { SIGNATURE_LABELS } from './signature-labels.ts'

interface WebhookAddressProps {
  trigger: Trigger
  settings: WebhookSettings
  mayChange: boolean
}

/** Where a webhook is called, with what secret, and how to try it. */
export function WebhookAddress({ trigger, settings, mayChange }: WebhookAddressProps) {
  const { method, contentType, signature } = settings
  const address = addressOf(trigger)
  return (
    <Stack gap="4">
      <Stack gap="1">
        <Text textStyle="sm" fontWeight="medium">
          Address
        </Text>
        <CopyField label="Address" value={address} />
        <Text textStyle="xs" color="fg.muted">
          It takes {method}
          {method !== 'GET' && ` with ${contentType}`}, and nothing else.
        </Text>
      </Stack>
      {signature !== 'none' && <SecretField trigger={trigger} mayChange={mayChange} />}
      <Text textStyle="sm" color="fg.muted">
        {SIGNATURE_LABELS[signature].how}
      </Text>
      <Collapsible title="Try it from a terminal">
        <Stack gap="2" mt="2">
          {signature !== 'none' && (
            <Text textStyle="sm" color="fg.muted">
              {signature === 'plain-token'
                ? 'Put the secret in the first line.'
                : 'Put the secret in the first line: the rest computes the signature as the sender would.'}
            </Text>
          )}
          <CopyBlock label="Command" value={curlOf(settings, address)} />
        </Stack>
      </Collapsible>
    </Stack>
  )
}

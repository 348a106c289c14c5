import { Stack, Text } from '@chakra-ui/react'
import type { Trigger } from '#contract/triggers/index.ts'
import type { WebhookSettings } from '#contract/triggers/settings.ts'
import { Collapsible } from '../../ui/Collapsible.tsx'
import { CopyBlock, CopyField } from '../../ui/CopyField.tsx'
import { buildCurl } from './curl.ts'
import { addressOf } from './queries.ts'
import { SecretField } from './SecretField.tsx'
import { SIGNATURE_SETUPS } from './signature-setups.ts'

interface WebhookAddressProps {
  trigger: Trigger
  settings: WebhookSettings
  canChange: boolean
}

/** The URL and secret of a webhook, with a command to test it. */
export function WebhookAddress({ trigger, settings, canChange }: WebhookAddressProps) {
  const { method, contentType, signature } = settings
  const address = addressOf(trigger)
  return (
    <Stack gap="4">
      <Stack gap="1">
        <Text textStyle="sm" fontWeight="medium">
          URL
        </Text>
        <CopyField label="URL" value={address} />
        <Text textStyle="xs" color="fg.muted">
          Accepts only {method}
          {method !== 'GET' && ` with ${contentType}`}.
        </Text>
      </Stack>
      {signature !== 'none' && <SecretField trigger={trigger} canChange={canChange} />}
      <Text textStyle="sm" color="fg.muted">
        {SIGNATURE_SETUPS[signature].setup}
      </Text>
      <Collapsible title="Try it from a terminal">
        <Stack gap="2" mt="2">
          {signature !== 'none' && (
            <Text textStyle="sm" color="fg.muted">
              {signature === 'plain-token'
                ? 'Paste the secret into the first line.'
                : 'Paste the secret into the first line. The command then computes the signature.'}
            </Text>
          )}
          <CopyBlock label="Command" value={buildCurl(settings, address)} />
        </Stack>
      </Collapsible>
    </Stack>
  )
}

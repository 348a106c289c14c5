import { Box, Text } from '@chakra-ui/react'
import type { Trigger } from '#contract/triggers/index.ts'
import { addressOf } from '../../../inputs/trigger/queries.ts'
import { SIGNATURE_SETUPS } from '../../../inputs/trigger/signature-setups.ts'
import { CopyField } from '../../../ui/CopyField.tsx'
import { ShownOnceDialog } from '../../../ui/feedback/ShownOnceDialog.tsx'

interface NewSecretDialogProps {
  trigger: Trigger
  secret: string
  onClose: () => void
}

/** Shows the secret and the URL of a new webhook, with what the sender needs. */
export default function NewSecretDialog({ trigger, secret, onClose }: NewSecretDialogProps) {
  const { settings } = trigger
  return (
    <ShownOnceDialog title={`Secret for “${trigger.name}”`} label="Secret" value={secret} onClose={onClose}>
      <Box mt="4">
        <Text textStyle="sm" fontWeight="medium" mb="1">
          URL
        </Text>
        <CopyField label="URL" value={addressOf(trigger)} />
      </Box>
      {settings.kind === 'webhook' && (
        <Text textStyle="sm" color="fg.muted" mt="4">
          {SIGNATURE_SETUPS[settings.signature].setup}
        </Text>
      )}
    </ShownOnceDialog>
  )
}

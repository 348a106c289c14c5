import { Box, Field, Text } from '@chakra-ui/react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type DeliveryDetail, type Payload, payloadSchema, type Trigger } from '#contract/triggers/index.ts'
import { CodeInput } from '../../inputs/CodeInput.tsx'
import { notify } from '../../state/notify.ts'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { replayDelivery } from './queries.ts'

interface ReplayDialogProps {
  delivery: DeliveryDetail
  trigger: Trigger
  onReplayed: (id: string) => void
  onClose: () => void
}

/** Replays a delivery with its original payload or an edited one. */
export default function ReplayDialog({ delivery, trigger, onReplayed, onClose }: ReplayDialogProps) {
  const before = JSON.stringify(delivery.payload ?? emptyPayload(trigger), null, 2)
  const [text, setText] = useState(before)
  const read = readPayload(text)
  const replay = useMutation({
    mutationFn: (payload: Payload | undefined) => replayDelivery(delivery.id, payload),
    onSuccess: ({ id }) => {
      notify.success('Delivery replayed')
      onClose()
      onReplayed(id)
    },
  })
  const submit = () => {
    if ('payload' in read) replay.mutate(text === before ? undefined : read.payload)
  }
  const problem = 'problem' in read ? read.problem : undefined
  return (
    <FormDialog
      title="Replay delivery"
      submit="Replay"
      size="lg"
      form={{ busy: replay.isPending, dirty: text !== before, errors: { summary: replay.error?.message }, submit }}
      onClose={onClose}
    >
      <Text color="fg.muted">
        Creates a new delivery with the current version of the flow. The original stays unchanged. Secret headers were
        not stored.
      </Text>
      <Field.Root invalid={problem !== undefined}>
        <Field.Label htmlFor="replay-payload">Payload</Field.Label>
        <Box w="full">
          <CodeInput
            id="replay-payload"
            param={{ label: 'Payload', name: 'payload', type: 'json' }}
            value={text}
            onChange={(value) => setText(String(value))}
            onDone={() => {}}
            scope={{ params: [], inputs: {} }}
          />
        </Box>
        <Field.HelperText>
          {trigger.kind === 'webhook'
            ? 'The request is in “webhook”. Add “question” or “form” to override the flow’s input.'
            : 'Add “question” or “form” to override the schedule’s input.'}
        </Field.HelperText>
        <Field.ErrorText>{problem}</Field.ErrorText>
      </Field.Root>
    </FormDialog>
  )
}

/** The payload to start editing from when none was stored. */
const emptyPayload = ({ kind }: Trigger): Payload =>
  kind === 'webhook' ? { webhook: { body: {}, headers: {}, query: {} } } : {}

function readPayload(text: string): { payload: Payload } | { problem: string } {
  try {
    const read = payloadSchema.safeParse(JSON.parse(text))
    if (read.success) return { payload: read.data }
    const [issue] = read.error.issues
    return { problem: `${issue?.path.join('.') || 'Payload'}: ${issue?.message}` }
  } catch (error) {
    return { problem: `Invalid JSON: ${error instanceof Error ? error.message : 'check the brackets'}` }
  }
}

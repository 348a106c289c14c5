import { Box, Field, Text } from '@chakra-ui/react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type Delivery, type Payload, payloadSchema, type Trigger } from '#contract/triggers/index.ts'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { asSentence } from '../../ui/forms/form-errors.ts'
import { CodeInput } from '../CodeInput.tsx'

interface PayloadDialogProps {
  title: string
  submit: string
  note: string
  kind: Trigger['kind']
  /** What is edited first. */
  payload: Payload
  /** @param edited undefined when nothing was changed */
  send: (payload: Payload, edited: Payload | undefined) => Promise<Pick<Delivery, 'id'>>
  onSent: (deliveryId: string) => void
  onClose: () => void
}

/** Asks for the payload that a trigger starts its flow with. */
export function PayloadDialog({ title, submit, note, kind, payload, send, onSent, onClose }: PayloadDialogProps) {
  const [before] = useState(() => JSON.stringify(payload, null, 2))
  const [text, setText] = useState(before)
  const read = readPayload(text)
  const sending = useMutation({
    mutationFn: (read: Payload) => send(read, text === before ? undefined : read),
    onSuccess: ({ id }) => {
      onClose()
      onSent(id)
    },
  })
  const problem = 'problem' in read ? read.problem : undefined
  const form = {
    busy: sending.isPending,
    dirty: text !== before,
    errors: { summary: sending.error?.message },
    submit: () => {
      if ('payload' in read) sending.mutate(read.payload)
    },
  }
  return (
    <FormDialog title={title} submit={submit} size="lg" form={form} onClose={onClose}>
      <Text color="fg.muted">{note}</Text>
      <Field.Root invalid={problem !== undefined}>
        <Field.Label htmlFor="trigger-payload">Payload</Field.Label>
        <Box w="full">
          <CodeInput
            id="trigger-payload"
            param={{ label: 'Payload', name: 'payload', type: 'json' }}
            value={text}
            onChange={(value) => setText(String(value))}
            onDone={() => {}}
            scope={{ params: [], inputs: {} }}
          />
        </Box>
        <Field.HelperText>
          {kind === 'webhook'
            ? 'The request is in “webhook”. Add “question” or “form” to override the flow’s input.'
            : 'Add “question” or “form” to override the schedule’s input.'}
        </Field.HelperText>
        <Field.ErrorText>{problem}</Field.ErrorText>
      </Field.Root>
    </FormDialog>
  )
}

function readPayload(text: string): { payload: Payload } | { problem: string } {
  try {
    const read = payloadSchema.safeParse(JSON.parse(text))
    if (read.success) return { payload: read.data }
    const [issue] = read.error.issues
    return { problem: asSentence(`${issue?.path.join('.') || 'Payload'}: ${issue?.message}`) }
  } catch (error) {
    return { problem: asSentence(`Invalid JSON: ${error instanceof Error ? error.message : 'check the brackets'}`) }
  }
}

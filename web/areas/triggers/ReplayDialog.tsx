import { Box, Field, Text } from '@chakra-ui/react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type DeliveryDetail, type Payload, payloadSchema, type Trigger } from '#contract/triggers/index.ts'
import { CodeInput } from '../../inputs/CodeInput.tsx'
import { notify } from '../../state/notify.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { replayDelivery } from './queries.ts'

interface ReplayDialogProps {
  delivery: DeliveryDetail
  trigger: Trigger
  onReplayed: (id: string) => void
  onClose: () => void
}

/** Runs a delivery again, with what it came with or with something else. */
export default function ReplayDialog({ delivery, trigger, onReplayed, onClose }: ReplayDialogProps) {
  const before = JSON.stringify(delivery.payload ?? exampleOf(trigger), null, 2)
  const [text, setText] = useState(before)
  const read = readPayload(text)
  const replay = useMutation({
    mutationFn: (payload: Payload | undefined) => replayDelivery(delivery.id, payload),
    onSuccess: ({ id }) => {
      notify.success('Replayed')
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
      title="Replay this delivery"
      submit="Replay"
      size="lg"
      busy={replay.isPending}
      dirty={text !== before}
      summary={replay.error?.message}
      onSubmit={submit}
      onClose={onClose}
    >
      <Text color="fg.muted">
        A new delivery begins, on the flow as it is now. This one stays in the list as it is. Headers that were secret
        are not there any more.
      </Text>
      <Field.Root invalid={problem !== undefined}>
        <Field.Label htmlFor="replay-payload">What it gets</Field.Label>
        <Box w="full">
          <CodeInput
            id="replay-payload"
            param={{ label: 'What it gets', name: 'payload', type: 'json' }}
            value={text}
            onChange={(value) => setText(String(value))}
            onDone={() => {}}
            scope={{ params: [], inputs: {} }}
          />
        </Box>
        <Field.HelperText>
          {trigger.kind === 'webhook'
            ? 'The request in “webhook”; add “question” or “form” to give the flow these instead.'
            : 'Add “question” or “form” to give the flow these instead of what the schedule is set to.'}
        </Field.HelperText>
        <Field.ErrorText>{problem}</Field.ErrorText>
      </Field.Root>
    </FormDialog>
  )
}

/** What is there to edit where nothing was kept. */
const exampleOf = ({ kind }: Trigger): Payload =>
  kind === 'webhook' ? { webhook: { body: {}, headers: {}, query: {} } } : {}

function readPayload(text: string): { payload: Payload } | { problem: string } {
  try {
    const read = payloadSchema.safeParse(JSON.parse(text))
    if (read.success) return { payload: read.data }
    const [issue] = read.error.issues
    return { problem: `${issue?.path.join('.') || 'The payload'}: ${issue?.message}` }
  } catch (thrown) {
    return { problem: `This is not valid JSON: ${thrown instanceof Error ? thrown.message : 'check its brackets'}` }
  }
}

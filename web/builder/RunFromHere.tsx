import { Text } from '@chakra-ui/react'
import { useState } from 'react'
import type { TraceItem } from '#contract/runs/events.ts'
import { ReplayInputs } from '../chat/ReplayInputs.tsx'
import { editableInputs, editedInputs, readInputs } from '../chat/replay-inputs.ts'
import { occurrenceText } from '../chat/trace/tree.ts'
import { notify } from '../state/notify.ts'
import { FormDialog } from '../ui/forms/FormDialog.tsx'
import { noErrors } from '../ui/forms/form-errors.ts'
import { useForm } from '../ui/forms/use-form.ts'
import { type Draft, hasChanges } from './draft.ts'
import { replayFrom } from './live-run.ts'

interface Props {
  draft: Draft
  item: TraceItem
  save: () => Promise<boolean>
  onClose: () => void
}

/** Replays a step on the draft, optionally with edited inputs. */
export default function RunFromHere({ draft, item, save, onClose }: Props) {
  const { canvas } = draft
  const [before] = useState(() => {
    const node = canvas.state.flow.nodes.find(({ id }) => id === item.nodeId)
    return node && editableInputs({ ...node.data.inputs }, item.data.input)
  })
  const which = occurrenceText(item.path ?? '')
  const form = useForm<{ text: string | undefined }>({
    initial: { text: undefined },
    check: ({ text }) => {
      const read = text === undefined ? undefined : readInputs(text)
      return read && 'problem' in read ? { summary: read.problem, fields: {} } : noErrors
    },
    send: async ({ text }) => {
      if (hasChanges(draft) && !(await save())) return
      onClose()
      replayFrom(canvas, { item, inputs: editedInputs(before, text) }).catch((error: Error) =>
        notify.error(`Couldn’t start the run: ${error.message}`),
      )
    },
  })
  const { text } = form.values
  return (
    <FormDialog
      title={`Replay from ${item.nodeLabel}${which ? `, ${which}` : ''}`}
      submit="Replay"
      size="lg"
      form={{ ...form, dirty: text !== undefined }}
      onClose={onClose}
    >
      <Text color="fg.muted">
        Starts a new run of the draft from this step{hasChanges(draft) ? ', after saving it' : ''}. Earlier steps are
        reused at no cost.
      </Text>
      {before ? (
        <ReplayInputs before={before} text={text} onChange={(next) => form.set({ text: next })} />
      ) : (
        <Text color="fg.error">This node is no longer on the canvas.</Text>
      )}
    </FormDialog>
  )
}

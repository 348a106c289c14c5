import { Textarea } from '@chakra-ui/react'
import { useState } from 'react'
import { Field } from '../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { fieldErrors } from '../../../ui/forms/form-errors.ts'
import { useForm } from '../../../ui/forms/use-form.ts'
import { generateInstruction } from '../queries.ts'
import { type AssistantDraft, detailsOf } from './assistant-draft.ts'

interface Props {
  draft: AssistantDraft
  onUse: (instruction: string) => void
  onClose: () => void
}

/** Lets the assistant's own model write its instructions; they can be changed before they are used. */
export default function InstructionDialog({ draft, onUse, onClose }: Props) {
  const [written, setWritten] = useState<{ task: string; text: string }>()
  const form = useForm({
    initial: { task: '' },
    check: ({ task }) => fieldErrors({ task: task.trim() === '' && 'Say what the assistant should do.' }),
    send: async ({ task }) => {
      if (written?.task === task) {
        onUse(written.text)
        onClose()
        return
      }
      const { content } = await generateInstruction(task.trim(), modelOf(draft))
      setWritten({ task, text: content })
    },
  })
  const submit = !written ? 'Write' : written.task === form.values.task ? 'Use these instructions' : 'Write again'
  return (
    <FormDialog title="Write instructions" submit={submit} size="md" form={form} onClose={onClose}>
      <Field
        label="What should the assistant do?"
        help="The chosen model writes the instructions. You can change them before you use them."
        error={form.errors.fields.task}
      >
        <Textarea
          autoFocus
          rows={3}
          maxLength={20_000}
          placeholder="Answer questions about our products, politely and in two sentences"
          value={form.values.task}
          onChange={(event) => form.set({ task: event.target.value })}
        />
      </Field>
      {written && (
        <Field label="Instructions">
          <Textarea
            autoFocus
            rows={10}
            maxLength={100_000}
            value={written.text}
            onChange={(event) => setWritten({ ...written, text: event.target.value })}
          />
        </Field>
      )}
    </FormDialog>
  )
}

function modelOf({ form }: AssistantDraft) {
  const { chatModel } = detailsOf(form.fields, form.rest)
  const { name = '', inputs = {}, credential } = chatModel ?? {}
  return { name: String(name), inputs, ...(credential && { credential }) }
}

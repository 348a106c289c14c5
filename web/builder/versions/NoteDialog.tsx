import { Textarea } from '@chakra-ui/react'
import { Field } from '../../ui/forms/Form.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { noErrors } from '../../ui/forms/form-errors.ts'
import { useForm } from '../../ui/forms/use-form.ts'

interface Props {
  title: string
  submit: string
  note: string
  onSubmit: (note: string) => Promise<unknown>
  onClose: () => void
}

/** Edits the note of a version. */
export function NoteDialog({ title, submit, note, onSubmit, onClose }: Props) {
  const form = useForm({
    initial: { note },
    check: () => noErrors,
    send: async (values) => {
      await onSubmit(values.note.trim())
      onClose()
    },
  })
  return (
    <FormDialog title={title} submit={submit} form={form} onClose={onClose}>
      <Field label="Note" help="Shown in the list of versions." error={form.errors.fields.note}>
        <Textarea
          autoFocus
          rows={3}
          maxLength={MAX_NOTE}
          value={form.values.note}
          onChange={(event) => form.set({ note: event.target.value })}
        />
      </Field>
    </FormDialog>
  )
}

const MAX_NOTE = 500

import { Input, Text } from '@chakra-ui/react'
import { MAX_KEEP_DAYS, type Retention } from '#contract/runs/retention.ts'
import { saveRetention } from '../../api/retention.ts'
import { notify } from '../../state/notify.ts'
import { Field } from '../../ui/forms/Form.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { fieldErrors } from '../../ui/forms/form-errors.ts'
import { useForm } from '../../ui/forms/use-form.ts'

interface Props {
  retention: Retention
  onClose(): void
}

/** Chooses how long the workspace that the person is in keeps its runs and messages. */
export function RetentionDialog({ retention, onClose }: Props) {
  const form = useForm({
    initial: { days: retention.keepDays === null ? '' : String(retention.keepDays) },
    check: ({ days }) =>
      fieldErrors({ keepDays: !isDays(days) && `Enter a number from 1 to ${MAX_KEEP_DAYS}, or leave it empty.` }),
    send: async ({ days }) => {
      await saveRetention({ keepDays: days.trim() === '' ? null : Number(days) })
      notify.success('Retention saved')
      onClose()
    },
  })
  return (
    <FormDialog title="Keep runs and messages" submit="Save" form={form} onClose={onClose}>
      <Text color="fg.muted">
        Older runs and the messages of their conversations are deleted for good. Starred runs, and runs that wait for a
        person, stay.
      </Text>
      <Field label="Days" help="Leave empty to keep them for ever." error={form.errors.fields.keepDays}>
        <Input
          type="number"
          min={1}
          value={form.values.days}
          onChange={(event) => form.set({ days: event.target.value })}
        />
      </Field>
    </FormDialog>
  )
}

function isDays(text: string): boolean {
  const days = Number(text)
  return text.trim() === '' || (Number.isInteger(days) && days >= 1 && days <= MAX_KEEP_DAYS)
}

import { Input } from '@chakra-ui/react'
import type { Chatflow } from '#contract/chatflows/chatflows.ts'
import { kindOf } from '#contract/flow/kinds/index.ts'
import { renameFlow } from '../api/flows.ts'
import { Field } from '../ui/forms/Form.tsx'
import { FormDialog } from '../ui/forms/FormDialog.tsx'
import { fieldErrors } from '../ui/forms/form-errors.ts'
import { useForm } from '../ui/forms/use-form.ts'

export function RenameDialog({ flow, onClose }: { flow: Pick<Chatflow, 'id' | 'name' | 'type'>; onClose(): void }) {
  const form = useForm({
    initial: { name: flow.name },
    check: ({ name }) => fieldErrors({ name: name.trim() === '' && 'Enter a name.' }),
    send: async ({ name }) => {
      await renameFlow(flow.id, name.trim())
      onClose()
    },
  })
  return (
    <FormDialog title={`Rename ${kindOf(flow.type).label.toLowerCase()}`} submit="Rename" form={form} onClose={onClose}>
      <Field label="Name" error={form.errors.fields.name}>
        <Input
          autoFocus
          maxLength={200}
          value={form.values.name}
          onChange={(event) => form.set({ name: event.target.value })}
        />
      </Field>
    </FormDialog>
  )
}

import { Input } from '@chakra-ui/react'
import { loadComponents } from '../../../api/components.ts'
import { queryClient } from '../../../api/query.ts'
import { useCan } from '../../../api/use-can.ts'
import { credentialsQuery } from '../../../inputs/credential/queries.ts'
import { Field } from '../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { fieldErrors } from '../../../ui/forms/form-errors.ts'
import { useForm } from '../../../ui/forms/use-form.ts'
import { createCustom } from '../queries.ts'
import { firstModel } from './first-model.ts'

interface Props {
  onCreated(id: string): void
  onClose(): void
}

/** Asks for the name of a new assistant, which gets the model that the workspace has a key for. */
export default function NewAssistantDialog({ onCreated, onClose }: Props) {
  const maySeeCredentials = useCan()('credentials:view')
  const form = useForm({
    initial: { name: '' },
    check: ({ name }) => fieldErrors({ name: name.trim() === '' && 'Enter a name.' }),
    send: async ({ name }) => {
      const [components, credentials] = await Promise.all([
        loadComponents(),
        maySeeCredentials ? queryClient.fetchQuery(credentialsQuery()) : [],
      ])
      const { id } = await createCustom({ name: name.trim(), chatModel: firstModel(components, credentials) })
      onClose()
      onCreated(id)
    },
  })
  return (
    <FormDialog title="New assistant" submit="Create" form={form} onClose={onClose}>
      <Field label="Name" help="For example, “Support helper”." error={form.errors.fields.name}>
        <Input
          autoFocus
          autoComplete="off"
          maxLength={200}
          value={form.values.name}
          onChange={(event) => form.set({ name: event.target.value })}
        />
      </Field>
    </FormDialog>
  )
}

import { Input, Textarea } from '@chakra-ui/react'
import type { DocumentStore } from '#contract/document-stores/stores.ts'
import { Field } from '../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { fieldErrors } from '../../../ui/forms/form-errors.ts'
import { useForm } from '../../../ui/forms/use-form.ts'
import { createStore, updateStore } from '../api.ts'

interface Props {
  /** The store to rename. */
  store?: Pick<DocumentStore, 'id' | 'name' | 'description'>
  onCreated?(id: string): void
  onClose(): void
}

/** Creates a store, or changes its name and description. */
export default function StoreDialog({ store, onCreated, onClose }: Props) {
  const form = useForm({
    initial: { name: store?.name ?? '', description: store?.description ?? '' },
    check: ({ name }) => fieldErrors({ name: name.trim() === '' && 'Enter a name.' }),
    send: async ({ name, description }) => {
      const fields = { name: name.trim(), description: description.trim() }
      const { id } = await (store ? updateStore(store.id, fields) : createStore(fields))
      onClose()
      if (!store) onCreated?.(id)
    },
  })
  const { values, errors, set } = form
  return (
    <FormDialog
      title={store ? 'Rename document store' : 'New document store'}
      submit={store ? 'Save' : 'Create'}
      form={form}
      onClose={onClose}
    >
      <Field label="Name" help="For example, “Product manuals”." error={errors.fields.name}>
        <Input
          autoFocus
          autoComplete="off"
          maxLength={200}
          value={values.name}
          onChange={(event) => set({ name: event.target.value })}
        />
      </Field>
      <Field
        label="Description"
        help="What is in it and when to search it. Agents decide by this text."
        error={errors.fields.description}
      >
        <Textarea
          rows={3}
          maxLength={10_000}
          value={values.description}
          onChange={(event) => set({ description: event.target.value })}
        />
      </Field>
    </FormDialog>
  )
}

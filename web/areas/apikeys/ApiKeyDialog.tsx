import { Input } from '@chakra-ui/react'
import type { ApiKey, CreateApiKey, NewApiKey } from '#contract/apikeys.ts'
import { notify } from '../../state/notify.ts'
import { Field } from '../../ui/forms/Form.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { fieldErrors } from '../../ui/forms/form-errors.ts'
import { useForm } from '../../ui/forms/use-form.ts'
import { PermissionPicker } from './PermissionPicker.tsx'
import { createApiKey, updateApiKey } from './queries.ts'

interface Props {
  apiKey?: ApiKey
  onCreated(created: NewApiKey): void
  onClose(): void
}

/** Creates a key, or edits the name and permissions of an existing one. */
export function ApiKeyDialog({ apiKey, onCreated, onClose }: Props) {
  const form = useForm<Required<CreateApiKey>>({
    initial: { keyName: apiKey?.keyName ?? '', permissions: apiKey?.permissions ?? [], flowIds: apiKey?.flowIds ?? [] },
    check: ({ keyName, permissions, flowIds }) =>
      fieldErrors({
        keyName: keyName.trim() === '' && 'Enter a name.',
        permissions: permissions.length + flowIds.length === 0 && 'Choose at least one permission or flow.',
      }),
    send: async ({ keyName, permissions, flowIds }) => {
      const fields = { keyName: keyName.trim(), permissions, flowIds }
      if (apiKey) await updateApiKey(apiKey.id, fields)
      else onCreated(await createApiKey(fields))
      if (apiKey) notify.success('API key saved')
      onClose()
    },
  })
  const { values, errors, set } = form
  return (
    <FormDialog
      title={apiKey ? 'Edit API key' : 'New API key'}
      submit={apiKey ? 'Save' : 'Create'}
      size="lg"
      form={form}
      onClose={onClose}
    >
      <Field label="Name" help="Name the app that uses the key, for example “Website”." error={errors.fields.keyName}>
        <Input
          autoFocus
          maxLength={100}
          value={values.keyName}
          onChange={(event) => set({ keyName: event.target.value })}
        />
      </Field>
      <PermissionPicker
        chosen={values.permissions}
        flowIds={values.flowIds}
        error={errors.fields.permissions}
        onChange={set}
      />
    </FormDialog>
  )
}

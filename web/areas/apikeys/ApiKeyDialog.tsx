import { Input, NativeSelect } from '@chakra-ui/react'
import type { ApiKey, CreateApiKey, NewApiKey } from '#contract/apikeys/apikeys.ts'
import { useCan } from '../../api/use-can.ts'
import { notify } from '../../state/notify.ts'
import { Field } from '../../ui/forms/Form.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { fieldErrors } from '../../ui/forms/form-errors.ts'
import { useForm } from '../../ui/forms/use-form.ts'
import { dateProblem, EXPIRIES, type Expiry, expiryDate } from './expiry.ts'
import { PermissionPicker } from './PermissionPicker.tsx'
import { RUN_PERMISSIONS } from './presets.ts'
import { createApiKey, updateApiKey } from './queries.ts'

type Fields = Required<Omit<CreateApiKey, 'expiresDate'>> & { expiry: `${Expiry}`; date: string }

interface Props {
  apiKey?: ApiKey
  onCreated(created: NewApiKey): void
  onClose(): void
}

const dayOf = (date: string) => new Date(date).toLocaleDateString(undefined, { dateStyle: 'medium' })

/** Creates a key, or edits the name and permissions of an existing one. */
export function ApiKeyDialog({ apiKey, onCreated, onClose }: Props) {
  const can = useCan()
  const form = useForm<Fields>({
    initial: {
      keyName: apiKey?.keyName ?? '',
      permissions: apiKey?.permissions ?? RUN_PERMISSIONS.filter((name) => can(name)),
      flowIds: apiKey?.flowIds ?? [],
      expiry: apiKey?.expiresDate ? 'kept' : 'never',
      date: '',
    },
    check: ({ keyName, permissions, flowIds, ...expiry }) =>
      fieldErrors({
        keyName: keyName.trim() === '' && 'Enter a name.',
        permissions: permissions.length + flowIds.length === 0 && 'Choose at least one permission or flow.',
        expiresDate: dateProblem(expiry, new Date()),
      }),
    send: async ({ keyName, permissions, flowIds, ...expiry }) => {
      const expiresDate = expiryDate(expiry, new Date())
      const fields = {
        keyName: keyName.trim(),
        permissions,
        flowIds,
        ...(expiresDate !== undefined && { expiresDate }),
      }
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
      <Field label="Expires" help="Calls with an expired key are refused." error={errors.fields.expiresDate}>
        <NativeSelect.Root>
          <NativeSelect.Field
            value={values.expiry}
            onChange={(event) => set({ expiry: event.target.value as Fields['expiry'] })}
          >
            {apiKey?.expiresDate && <option value="kept">{dayOf(apiKey.expiresDate)}</option>}
            {Object.entries(EXPIRIES).map(([expiry, label]) => (
              <option key={expiry} value={expiry}>
                {label}
              </option>
            ))}
          </NativeSelect.Field>
          <NativeSelect.Indicator />
        </NativeSelect.Root>
      </Field>
      {values.expiry === 'date' && (
        <Field label="Date" help="The last day on which the key works." error={errors.fields.expiresDate}>
          <Input type="date" value={values.date} onChange={(event) => set({ date: event.target.value })} />
        </Field>
      )}
      <PermissionPicker
        chosen={values.permissions}
        flowIds={values.flowIds}
        error={errors.fields.permissions}
        onChange={set}
      />
    </FormDialog>
  )
}

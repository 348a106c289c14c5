import { Button, Dialog, Field, Input, NativeSelect, Portal, Stack, Text } from '@chakra-ui/react'
import { type FormEvent, useState } from 'react'
import type { CredentialDefinition } from '#contract/flow/definition.ts'
import { ApiError } from '../../api/errors.ts'
import { ParamForm } from '../ParamForm.tsx'
import { type CredentialEntry, saveCredential, useCredentialTypes } from './queries.ts'

export interface CredentialDialogProps {
  /** The types to choose from; all when absent. */
  credentialNames?: readonly string[]
  /** The one to change; a new one is made when absent. Its stored secrets are not shown: empty fields keep them. */
  existing?: CredentialEntry
  onClose: () => void
  onSaved: (entry: CredentialEntry) => void
}

/** Makes or changes a credential: a name, and the typed form of its provider. */
export function CredentialDialog({ credentialNames, existing, onClose, onSaved }: CredentialDialogProps) {
  const types = useCredentialTypes()
  const offered = (types.data ?? []).filter((type) => !credentialNames || credentialNames.includes(type.name))
  const [chosen, setChosen] = useState(existing?.credentialName ?? '')
  const type = offered.find((each) => each.name === chosen) ?? (offered.length === 1 ? offered[0] : undefined)
  return (
    <Dialog.Root open onOpenChange={({ open }) => !open && onClose()}>
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content>
            <Dialog.Header>
              <Dialog.Title>{existing ? `Change ${existing.name}` : 'New credential'}</Dialog.Title>
            </Dialog.Header>
            <Dialog.Body>
              {!existing && offered.length > 1 && (
                <Field.Root mb="4">
                  <Field.Label>Provider</Field.Label>
                  <NativeSelect.Root>
                    <NativeSelect.Field value={chosen} onChange={(event) => setChosen(event.target.value)}>
                      <option value="">Choose a provider…</option>
                      {offered.map((each) => (
                        <option key={each.name} value={each.name}>
                          {each.label}
                        </option>
                      ))}
                    </NativeSelect.Field>
                    <NativeSelect.Indicator />
                  </NativeSelect.Root>
                </Field.Root>
              )}
              {types.isLoading && <Text color="fg.muted">Loading…</Text>}
              {types.error && <Text color="fg.error">The providers could not be loaded: {types.error.message}</Text>}
              {type && (
                <CredentialForm
                  key={type.name}
                  type={type}
                  onClose={onClose}
                  onSaved={onSaved}
                  {...(existing ? { existing } : {})}
                />
              )}
            </Dialog.Body>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}

interface FormProps {
  type: CredentialDefinition
  existing?: CredentialEntry
  onClose: () => void
  onSaved: (entry: CredentialEntry) => void
}

function CredentialForm({ type, existing, onClose, onSaved }: FormProps) {
  const [name, setName] = useState(existing?.name ?? type.label)
  const [fields, setFields] = useState<Record<string, unknown>>({})
  const [failure, setFailure] = useState<{ field: string | undefined; message: string } | null>(null)
  const [saving, setSaving] = useState(false)
  const params = existing
    ? type.inputs.map((input) => ({ ...input, optional: true, placeholder: 'Unchanged' }))
    : type.inputs

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    setSaving(true)
    setFailure(null)
    const filled = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))
    const draft = { name, credentialName: type.name, fields: filled, ...(existing ? { id: existing.id } : {}) }
    try {
      onSaved(await saveCredential(draft))
    } catch (thrown) {
      const field = thrown instanceof ApiError ? thrown.field?.split('.').at(-1) : undefined
      setFailure({ field, message: thrown instanceof Error ? thrown.message : 'The credential could not be saved.' })
      setSaving(false)
    }
  }

  const atField = failure?.field && params.some((param) => param.name === failure.field)
  return (
    <form onSubmit={submit}>
      <Stack gap="4">
        {type.description && <Text color="fg.muted">{type.description}</Text>}
        <Field.Root required>
          <Field.Label>Name</Field.Label>
          <Input value={name} onChange={(event) => setName(event.target.value)} />
          <Field.HelperText>How you find it again.</Field.HelperText>
        </Field.Root>
        <ParamForm
          prefix="credential"
          params={params}
          values={fields}
          onPatch={(patch) => setFields({ ...fields, ...patch })}
          errors={failure && atField ? { [failure.field as string]: failure.message } : {}}
        />
        {failure && !atField && (
          <Text role="alert" color="fg.error">
            {failure.message}
          </Text>
        )}
        <Stack direction="row" justify="end" mt="2">
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" colorPalette="accent" loading={saving}>
            Save credential
          </Button>
        </Stack>
      </Stack>
    </form>
  )
}

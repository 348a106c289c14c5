import { Input, NativeSelect } from '@chakra-ui/react'
import { useState } from 'react'
import type { Credential, CredentialWithFields } from '#contract/credentials.ts'
import type { CredentialDefinition } from '#contract/flow/params/definition.ts'
import { notify } from '../../state/notify.ts'
import { Field } from '../../ui/forms/Form.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { CredentialField } from './CredentialField.tsx'
import { checkCredential, errorOfField, type FieldValues, fieldsToSend, initialValues } from './credential-form.ts'
import { saveCredential } from './queries.ts'

interface Props {
  /** Types to choose from. */
  definitions: CredentialDefinition[]
  /** The credential to edit; creates one when absent. */
  credential?: CredentialWithFields
  onClose(): void
  onSaved?(credential: Credential): void
}

interface Values {
  name: string
  fields: FieldValues
}

/** Creates or edits a credential. The type determines the fields. */
export default function CredentialDialog(props: Props) {
  const { definitions, credential } = props
  const [type, setType] = useState(credential?.credentialName ?? definitions[0]?.name)
  const definition = definitions.find((each) => each.name === type)
  if (!definition) return null
  return <TypedDialog {...props} key={type} definition={definition} onType={setType} />
}

interface TypedProps extends Props {
  definition: CredentialDefinition
  onType(name: string): void
}

function TypedDialog({ definition, definitions, credential, onType, onClose, onSaved }: TypedProps) {
  const { inputs } = definition
  const form = useForm<Values>({
    initial: { name: credential?.name ?? '', fields: initialValues(definition, credential?.plainDataObj) },
    check: ({ name, fields }) => checkCredential(name, fields, inputs),
    send: async ({ name, fields }) => {
      const plainDataObj = fieldsToSend(fields)
      const draft = { name: name.trim(), credentialName: definition.name, plainDataObj }
      const saved = await saveCredential(draft, credential?.id)
      notify.success(credential ? 'Credential saved' : 'Credential created')
      onSaved?.(saved)
      onClose()
    },
  })
  const { values, errors, set } = form
  return (
    <FormDialog
      title={credential ? `Edit ${definition.label} credential` : 'New credential'}
      submit={credential ? 'Save' : 'Create'}
      form={form}
      onClose={onClose}
    >
      {!credential && (
        <Field label="Type" help={definition.description}>
          <NativeSelect.Root>
            <NativeSelect.Field value={definition.name} onChange={(event) => onType(event.target.value)}>
              {definitions.map(({ name, label }) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </NativeSelect.Field>
            <NativeSelect.Indicator />
          </NativeSelect.Root>
        </Field>
      )}
      <Field label="Name" help="For example, “Team account”." error={errors.fields.name}>
        <Input
          autoFocus
          autoComplete="off"
          maxLength={200}
          value={values.name}
          onChange={(event) => set({ name: event.target.value })}
        />
      </Field>
      {inputs.map((input) => (
        <CredentialField
          key={input.name}
          input={input}
          stored={Boolean(credential?.plainDataObj[input.name])}
          value={values.fields[input.name]}
          error={errorOfField(errors, input.name)}
          onChange={(value) => set({ fields: { ...values.fields, [input.name]: value } })}
        />
      ))}
    </FormDialog>
  )
}

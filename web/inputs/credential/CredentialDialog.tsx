import { Box, Button, Flex, Input, Stack, Text } from '@chakra-ui/react'
import { useState } from 'react'
import type { Credential, CredentialWithFields } from '#contract/credentials/credentials.ts'
import { givenHosts } from '#contract/credentials/hosts.ts'
import type { CredentialDefinition, InputParam } from '#contract/flow/params/definition.ts'
import { queryClient } from '../../api/query.ts'
import { notify } from '../../state/notify.ts'
import { Collapsible } from '../../ui/Collapsible.tsx'
import { Field } from '../../ui/forms/Form.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { useReturnedFocus } from '../../ui/use-returned-focus.ts'
import { nameUsers } from '../../usages/describe-users.ts'
import { useUsages } from '../../usages/queries.ts'
import { ConnectSection } from './ConnectSection.tsx'
import { CredentialField } from './CredentialField.tsx'
import {
  type CredentialValues,
  checkCredential,
  errorOfField,
  fieldsToSend,
  hostsToSend,
  initialHosts,
  initialValues,
} from './credential-form.ts'
import { HostsField } from './HostsField.tsx'
import { ProviderPicker } from './ProviderPicker.tsx'
import { credentialQuery, saveCredential } from './queries.ts'
import { TestSection } from './TestSection.tsx'

interface Props {
  /** Types to choose from. */
  definitions: CredentialDefinition[]
  /** The credential to edit; creates one when absent. */
  credential?: CredentialWithFields
  /** Where the node that it is for sends it; a test goes there. */
  address?: string | undefined
  /** The field that has the focus at first. */
  focus?: 'name' | 'hosts'
  onClose(): void
  onSaved?(credential: Credential): void
}

/** Creates or edits a credential. The type determines the fields. */
export default function CredentialDialog(props: Props) {
  useReturnedFocus()
  const { definitions, onClose } = props
  const [credential, setCredential] = useState(props.credential)
  const [type, setType] = useState(credential?.credentialName ?? onlyOne(definitions)?.name)
  const definition = definitions.find(({ name }) => name === type)
  if (!definition) return <ProviderPicker definitions={definitions} onChoose={setType} onClose={onClose} />
  return (
    <TypedDialog
      {...props}
      key={`${type} ${credential?.updatedDate}`}
      credential={credential}
      definition={definition}
      onType={onlyOne(definitions) ? undefined : () => setType(undefined)}
      onStay={setCredential}
    />
  )
}

const onlyOne = (definitions: CredentialDefinition[]) => (definitions.length === 1 ? definitions[0] : undefined)

interface TypedProps extends Omit<Props, 'credential'> {
  credential: CredentialWithFields | undefined
  definition: CredentialDefinition
  /** Chooses another type. */
  onType: (() => void) | undefined
  /** Stays open to connect what was saved. */
  onStay(credential: CredentialWithFields): void
}

function ChosenType({ definition, onType }: Pick<TypedProps, 'definition' | 'onType'>) {
  return (
    <Flex justify="space-between" gap="3" align="start">
      <Box>
        <Text fontWeight="medium">{definition.label}</Text>
        {definition.description && (
          <Text textStyle="sm" color="fg.muted">
            {definition.description}
          </Text>
        )}
      </Box>
      {onType && (
        <Button size="sm" variant="outline" onClick={onType}>
          Change type
        </Button>
      )}
    </Flex>
  )
}

function TypedDialog({
  definition,
  credential,
  address,
  focus = 'name',
  onType,
  onClose,
  onSaved,
  onStay,
}: TypedProps) {
  const { inputs, oauth } = definition
  const form = useForm<CredentialValues>({
    initial: valuesOf(definition, { credential, address }),
    check: (values) => checkCredential(values, definition),
    send: async ({ name, fields, hosts }) => {
      const plainDataObj = fieldsToSend(fields)
      const draft = { name: name.trim(), credentialName: definition.name, plainDataObj, hosts: hostsToSend(hosts) }
      const saved = await saveCredential(draft, credential?.id)
      notify.success(credential ? 'Credential saved' : 'Credential created')
      onSaved?.(saved)
      if (oauth && saved.connection !== 'connected') onStay(await queryClient.fetchQuery(credentialQuery(saved.id)))
      else onClose()
    },
  })
  const { values, errors, set } = form
  const fieldOf = (input: InputParam) => (
    <CredentialField
      key={input.name}
      input={input}
      stored={Boolean(credential?.plainDataObj[input.name])}
      value={values.fields[input.name]}
      error={errorOfField(errors, input.name)}
      onChange={(value) => set({ fields: { ...values.fields, [input.name]: value } })}
    />
  )
  const more = inputs.filter(({ additionalParams }) => additionalParams)
  const hasErrorInside = more.some(({ name }) => errorOfField(errors, name))
  return (
    <FormDialog
      title={credential ? `Edit ${definition.label} credential` : 'New credential'}
      submit={credential ? 'Save' : 'Create'}
      form={form}
      onClose={onClose}
    >
      {!credential && <ChosenType definition={definition} onType={onType} />}
      <NameField
        value={values.name}
        error={errors.fields.name}
        autoFocus={focus === 'name'}
        onChange={(name) => set({ name })}
      />
      {inputs.filter(({ additionalParams }) => !additionalParams).map(fieldOf)}
      {more.length > 0 && (
        <Collapsible key={String(hasErrorInside)} title="More settings" open={hasErrorInside}>
          <Stack gap="5" mt="3">
            {more.map(fieldOf)}
          </Stack>
        </Collapsible>
      )}
      <HostsField
        given={givenHosts(definition, values.fields)}
        value={values.hosts}
        error={errors.fields.hosts}
        autoFocus={focus === 'hosts'}
        onChange={(hosts) => set({ hosts })}
      />
      {credential && <Users id={credential.id} />}
      {oauth && <ConnectSection credential={credential} dirty={form.dirty} />}
      {definition.test && (!oauth || credential?.connection === 'connected') && (
        <TestSection
          definition={definition}
          id={credential?.id}
          address={address}
          fields={() => fieldsToSend(values.fields)}
        />
      )}
    </FormDialog>
  )
}

const valuesOf = (definition: CredentialDefinition, source: Pick<TypedProps, 'credential' | 'address'>) => ({
  name: source.credential?.name ?? '',
  fields: initialValues(definition, source.credential?.plainDataObj),
  hosts: initialHosts(definition, source),
})

interface NameFieldProps {
  value: string
  error: string | undefined
  autoFocus: boolean
  onChange(value: string): void
}

function NameField({ value, error, autoFocus, onChange }: NameFieldProps) {
  return (
    <Field label="Name" help="For example, “Team account”." error={error}>
      <Input
        autoFocus={autoFocus}
        autoComplete="off"
        maxLength={200}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}

/** Says who gets the new secret. */
function Users({ id }: { id: string }) {
  const { data: users } = useUsages({ kind: 'credential', asset: id })
  if (!users || users.total === 0) return null
  return (
    <Text textStyle="sm" color="fg.muted">
      Used by {nameUsers(users)}. What you save counts from the next run on.
    </Text>
  )
}

import { Box, Button, Field as ChakraField, Flex, Input, NativeSelect, SimpleGrid, Textarea } from '@chakra-ui/react'
import { useState } from 'react'
import type { Assistant } from '#contract/assistants/assistants.ts'
import {
  OPENAI_BASE,
  PROVIDER_TYPES,
  type ProviderAssistant,
  type ProviderType,
} from '#contract/assistants/provider-assistants.ts'
import { errorMessage } from '#contract/errors.ts'
import { CredentialInput } from '../../../inputs/credential/CredentialInput.tsx'
import { notify } from '../../../state/notify.ts'
import { Field } from '../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { useForm } from '../../../ui/forms/use-form.ts'
import { findAtProvider, saveAtProvider } from '../queries.ts'
import { ProviderTools } from './ProviderTools.tsx'
import { checkProvider, fieldsOf, PROVIDER_LABELS, type ProviderFields, toDetails, toFields } from './provider-form.ts'

const KEY = {
  label: 'Credential',
  name: 'credential',
  type: 'credential',
  credentialNames: ['openAIApi'],
}

interface Props {
  assistant: Assistant | undefined
  onClose: () => void
}

/** Creates an assistant at its provider, takes over one that exists there, or changes it. */
export default function ProviderAssistantDialog({ assistant, onClose }: Props) {
  const form = useForm<ProviderFields>({
    initial: fieldsOf(assistant),
    check: checkProvider,
    send: async (fields) => {
      const { type, credential } = fields
      await saveAtProvider({ type, credential, details: JSON.stringify(toDetails(fields)) }, assistant?.id)
      notify.success(assistant ? 'Assistant saved' : 'Assistant created')
      onClose()
    },
  })
  const { values, errors, set } = form
  const text = (name: 'name' | 'model' | 'basepath' | 'temperature' | 'top_p') => ({
    value: values[name],
    maxLength: name === 'basepath' ? 2000 : 256,
    onChange: ({ target }: { target: { value: string } }) => set({ [name]: target.value }),
  })
  return (
    <FormDialog
      title={assistant ? 'Edit assistant' : 'New assistant'}
      submit={assistant ? 'Save' : values.id ? 'Add' : 'Create'}
      size="md"
      form={form}
      onClose={onClose}
    >
      {!assistant && <Provider type={values.type} onChange={(type) => set({ type })} />}
      <Credential
        value={values.credential}
        error={errors.fields.credential}
        onChange={(credential) => set({ credential })}
      />
      <Field
        label={values.type === 'AZURE' ? 'Address' : 'Address (optional)'}
        help={values.type === 'AZURE' ? 'Of your Azure resource.' : 'Of a compatible server.'}
        error={errors.fields.basepath ?? errors.fields['details.basepath']}
      >
        <Input
          {...text('basepath')}
          placeholder={values.type === 'AZURE' ? 'https://<resource>.openai.azure.com/openai' : OPENAI_BASE}
        />
      </Field>
      {!assistant && <Existing fields={values} onChosen={(found) => set(toFields(found))} />}
      <Field label="Name" error={errors.fields.name}>
        <Input {...text('name')} />
      </Field>
      <Field
        label="Model"
        help={values.type === 'AZURE' ? 'The name of your deployment.' : undefined}
        error={errors.fields.model}
      >
        <Input {...text('model')} placeholder="gpt-4o" />
      </Field>
      <Field label="Instructions (optional)">
        <Textarea
          rows={5}
          maxLength={256_000}
          value={values.instructions}
          onChange={(event) => set({ instructions: event.target.value })}
        />
      </Field>
      <SimpleGrid columns={{ base: 1, sm: 2 }} gap="4">
        <Field label="Temperature (optional)" error={errors.fields.temperature}>
          <Input {...text('temperature')} inputMode="decimal" />
        </Field>
        <Field label="Top P (optional)" error={errors.fields.top_p}>
          <Input {...text('top_p')} inputMode="decimal" />
        </Field>
      </SimpleGrid>
      <ProviderTools fields={values} set={set} />
    </FormDialog>
  )
}

function Provider({ type, onChange }: { type: ProviderType; onChange: (type: ProviderType) => void }) {
  return (
    <Field label="Provider">
      <NativeSelect.Root>
        <NativeSelect.Field value={type} onChange={(event) => onChange(event.target.value as ProviderType)}>
          {PROVIDER_TYPES.map((each) => (
            <option key={each} value={each}>
              {PROVIDER_LABELS[each]}
            </option>
          ))}
        </NativeSelect.Field>
        <NativeSelect.Indicator />
      </NativeSelect.Root>
    </Field>
  )
}

interface CredentialProps {
  value: string
  error: string | undefined
  onChange: (id: string) => void
}

function Credential({ value, error, onChange }: CredentialProps) {
  return (
    <ChakraField.Root invalid={Boolean(error)}>
      <ChakraField.Label htmlFor="provider-credential">Credential</ChakraField.Label>
      <Box w="full">
        <CredentialInput
          id="provider-credential"
          param={KEY}
          value={value}
          scope={{ params: [], inputs: {} }}
          onDone={() => {}}
          onChange={(id) => onChange(String(id))}
        />
      </Box>
      <ChakraField.ErrorText>{error}</ChakraField.ErrorText>
    </ChakraField.Root>
  )
}

/** Lists the assistants that exist at the provider, to take one over. */
function Existing({
  fields,
  onChosen,
}: {
  fields: ProviderFields
  onChosen: (found: ProviderAssistant | undefined) => void
}) {
  const [found, setFound] = useState<ProviderAssistant[]>()
  const [busy, setBusy] = useState(false)
  const load = async () => {
    setBusy(true)
    try {
      setFound(await findAtProvider(fields))
    } catch (error) {
      notify.error(`Couldn’t load the assistants: ${errorMessage(error)}`)
    } finally {
      setBusy(false)
    }
  }
  if (!found) {
    return (
      <Flex>
        <Button
          size="sm"
          variant="outline"
          loading={busy}
          disabled={fields.credential === ''}
          onClick={() => void load()}
        >
          Load existing assistants
        </Button>
      </Flex>
    )
  }
  return (
    <Field label="Existing assistant" help={found.length === 0 ? 'There are none at this provider.' : undefined}>
      <NativeSelect.Root>
        <NativeSelect.Field
          value={fields.id}
          onChange={(event) => onChosen(found.find(({ id }) => id === event.target.value))}
        >
          <option value="">None: create a new one</option>
          {found.map(({ id, name }) => (
            <option key={id} value={id}>
              {typeof name === 'string' && name ? name : id}
            </option>
          ))}
        </NativeSelect.Field>
        <NativeSelect.Indicator />
      </NativeSelect.Root>
    </Field>
  )
}

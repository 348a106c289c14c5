import { Button, Checkbox, Field, Flex, Heading, Input, NativeSelect, Text } from '@chakra-ui/react'
import { type FormEvent, useState } from 'react'
import type { ChatForm, FormField } from './start-form.ts'

type Values = Record<string, unknown>

/** The form of the Start node, shown in place of the message field. */
export function FormInput({
  form,
  disabled,
  onSend,
}: {
  form: ChatForm
  disabled: boolean
  onSend: (values: Values) => void
}) {
  const [values, setValues] = useState<Values>(() => initialValues(form))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSend(values)
  }
  return (
    <form onSubmit={submit}>
      <Flex direction="column" gap="3" maxH="50vh" overflowY="auto" p="3" borderWidth="1px" borderRadius="xl">
        {form.title && <Heading size="sm">{form.title}</Heading>}
        {form.description && <Text color="fg.muted">{form.description}</Text>}
        {form.fields.map((field) => (
          <FormFieldInput
            key={field.name}
            field={field}
            value={values[field.name]}
            onChange={(value) => setValues({ ...values, [field.name]: value })}
          />
        ))}
        <Button type="submit" colorPalette="accent" disabled={disabled} alignSelf="flex-end">
          Send
        </Button>
      </Flex>
    </form>
  )
}

const initialValues = (form: ChatForm): Values =>
  Object.fromEntries(
    form.fields.map((field) => [field.name, field.type === 'boolean' ? false : (field.options[0] ?? '')]),
  )

interface FieldProps {
  field: FormField
  value: unknown
  onChange: (value: unknown) => void
}

function FormFieldInput({ field, value, onChange }: FieldProps) {
  if (field.type === 'boolean') {
    return (
      <Checkbox.Root checked={value === true} onCheckedChange={({ checked }) => onChange(checked === true)}>
        <Checkbox.HiddenInput />
        <Checkbox.Control />
        <Checkbox.Label>{field.label}</Checkbox.Label>
      </Checkbox.Root>
    )
  }
  return (
    <Field.Root>
      <Field.Label>{field.label}</Field.Label>
      {field.type === 'options' ? (
        <NativeSelect.Root>
          <NativeSelect.Field value={String(value)} onChange={(event) => onChange(event.target.value)}>
            {field.options.map((option) => (
              <option key={option} value={option}>
                {option}
              </option>
            ))}
          </NativeSelect.Field>
          <NativeSelect.Indicator />
        </NativeSelect.Root>
      ) : (
        <Input
          type={field.type === 'number' ? 'number' : 'text'}
          step="any"
          value={String(value ?? '')}
          onChange={(event) => onChange(readValue(field, event.target.value))}
        />
      )}
    </Field.Root>
  )
}

const readValue = (field: FormField, text: string) => (field.type === 'number' && text !== '' ? Number(text) : text)

import { Input, NativeSelect, Textarea } from '@chakra-ui/react'
import type { InputParam } from '#contract/flow/params/definition.ts'
import { Field } from '../../ui/forms/Form.tsx'
import { SecretField } from '../../ui/forms/SecretField.tsx'

interface Props {
  input: InputParam
  /** A secret is stored on the server. */
  stored: boolean
  value: string | undefined
  error?: string
  onChange(value: string | undefined): void
}

/** A credential field by type. */
export function CredentialField({ input, stored, value, error, onChange }: Props) {
  const { label, type, description, placeholder, rows, options } = input
  const shared = { label: input.optional ? `${label} (optional)` : label, help: description, error }
  if (type === 'password') {
    return <SecretField {...shared} stored={stored} placeholder={placeholder} value={value} onChange={onChange} />
  }
  if (options) {
    return (
      <Field {...shared}>
        <NativeSelect.Root>
          <NativeSelect.Field value={value ?? ''} onChange={(event) => onChange(event.target.value)}>
            <option value="">Choose…</option>
            {options.map((option) => (
              <option key={option.name} value={option.name}>
                {option.label}
              </option>
            ))}
          </NativeSelect.Field>
          <NativeSelect.Indicator />
        </NativeSelect.Root>
      </Field>
    )
  }
  return (
    <Field {...shared}>
      {rows || type === 'json' ? (
        <Textarea
          rows={rows ?? 4}
          fontFamily={type === 'json' ? 'mono' : undefined}
          placeholder={placeholder}
          value={value ?? ''}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <Input
          type={type === 'number' ? 'number' : 'text'}
          placeholder={placeholder}
          value={value ?? ''}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

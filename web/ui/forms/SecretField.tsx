import { Button, Flex, Text } from '@chakra-ui/react'
import { useState } from 'react'
import { Field } from './Form.tsx'
import { PasswordInput } from './PasswordInput.tsx'

interface Props {
  label: string
  help?: string
  error?: string
  required?: boolean
  /** A value is stored on the server and can only be replaced. */
  stored: boolean
  placeholder?: string
  /** Undefined keeps the stored value. */
  value: string | undefined
  onChange(value: string | undefined): void
}

export function SecretField({ label, help, error, required, stored, placeholder, value, onChange }: Props) {
  const [replacing, setReplacing] = useState(!stored)
  if (!replacing) {
    return (
      <Flex align="center" justify="space-between" gap="3">
        <Text textStyle="sm">
          <Text as="span" fontWeight="medium">
            {label}
          </Text>{' '}
          <Text as="span" color="fg.muted">
            stored, not shown
          </Text>
        </Text>
        <Button size="sm" variant="outline" aria-label={`Replace ${label}`} onClick={() => setReplacing(true)}>
          Replace
        </Button>
      </Flex>
    )
  }
  return (
    <Field label={label} help={help} error={error} required={required}>
      <Flex gap="2" w="full">
        <PasswordInput
          noun={label}
          autoComplete="off"
          autoFocus={stored}
          placeholder={placeholder}
          value={value ?? ''}
          onChange={(event) => onChange(event.target.value)}
        />
        {stored && (
          <Button
            variant="outline"
            onClick={() => {
              onChange(undefined)
              setReplacing(false)
            }}
          >
            Keep
          </Button>
        )}
      </Flex>
    </Field>
  )
}

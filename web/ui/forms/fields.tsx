/** Small controls of long forms. */
import { chakra, Flex, Input, NativeSelect, Stack, Switch } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { Field } from './Form.tsx'

export interface FieldsProps<Draft> {
  draft: Draft
  /** Messages by field, named as in the API. */
  errors: Readonly<Record<string, string>>
  set: (change: Partial<Draft>) => void
}

interface ChoiceProps<Value extends string> {
  label: string
  help?: ReactNode
  error?: string
  value: Value
  options: readonly (readonly [value: Value, label: string])[]
  /** In a dialog: has the focus when it opens. */
  autoFocus?: boolean
  onChange: (value: Value) => void
}

/** The options of a choice, from the label of each value. */
export const choicesOf = <Value extends string>(labels: Readonly<Record<Value, string>>) =>
  Object.entries(labels) as [Value, string][]

export function Choice<Value extends string>({
  label,
  help,
  error,
  value,
  options,
  autoFocus = false,
  onChange,
}: ChoiceProps<Value>) {
  return (
    <Field label={label} help={help} error={error}>
      <NativeSelect.Root>
        <NativeSelect.Field
          data-autofocus={autoFocus || undefined}
          value={value}
          onChange={(event) => onChange(event.target.value as Value)}
        >
          {options.map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </NativeSelect.Field>
        <NativeSelect.Indicator />
      </NativeSelect.Root>
    </Field>
  )
}

interface TextFieldProps {
  label: string
  help?: ReactNode
  error?: string
  value: string
  type?: 'text' | 'number' | 'date' | 'time' | 'url' | 'email'
  placeholder?: string
  mono?: boolean
  onChange: (value: string) => void
}

export function TextField({ label, help, error, value, type = 'text', placeholder, mono, onChange }: TextFieldProps) {
  return (
    <Field label={label} help={help} error={error}>
      <Input
        type={type}
        placeholder={placeholder}
        fontFamily={mono ? 'mono' : undefined}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}

export function Toggle({ label, isOn, onChange }: { label: string; isOn: boolean; onChange: (on: boolean) => void }) {
  return (
    <Switch.Root size="sm" checked={isOn} onCheckedChange={({ checked }) => onChange(checked)}>
      <Switch.HiddenInput />
      <Switch.Control />
      <Switch.Label>{label}</Switch.Label>
    </Switch.Root>
  )
}

/** Places fields side by side on wide screens. */
export const FieldRow = ({ children }: { children: ReactNode }) => (
  <Flex
    gap="4"
    direction={{ base: 'column', sm: 'row' }}
    align="start"
    css={{ '& > *': { flex: '1 1 0', minWidth: 0 } }}
  >
    {children}
  </Flex>
)

interface AdvancedSectionProps {
  title: string
  /** The current values, shown beside the title. */
  summary: string
  /** Opens the section so that its errors are visible. */
  hasError: boolean
  children: ReactNode
}

/** A collapsed section of settings that most people leave at their defaults. */
export function AdvancedSection({ title, summary, hasError, children }: AdvancedSectionProps) {
  return (
    <chakra.details {...(hasError ? { open: true } : {})} borderTopWidth="1px" pt="3">
      <chakra.summary cursor="pointer" minH="6" textStyle="sm">
        <chakra.span fontWeight="semibold">{title}</chakra.span> <chakra.span color="fg.muted">{summary}</chakra.span>
      </chakra.summary>
      <Stack gap="4" mt="4">
        {children}
      </Stack>
    </chakra.details>
  )
}

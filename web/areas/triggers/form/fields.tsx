/** What the trigger form is made of. */
import { chakra, Flex, Input, NativeSelect, Stack, Switch } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { Field } from '../../../ui/Form.tsx'

export interface FieldsProps<Draft> {
  draft: Draft
  /** By field, as the API names them. */
  errors: Readonly<Record<string, string>>
  set: (change: Partial<Draft>) => void
}

interface ChoiceProps<Value extends string> {
  label: string
  help?: ReactNode
  error?: string
  value: Value
  options: readonly (readonly [value: Value, label: string])[]
  onChange: (value: Value) => void
}

export function Choice<Value extends string>({ label, help, error, value, options, onChange }: ChoiceProps<Value>) {
  return (
    <Field label={label} help={help} error={error}>
      <NativeSelect.Root>
        <NativeSelect.Field value={value} onChange={(event) => onChange(event.target.value as Value)}>
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
    <Switch.Root colorPalette="accent" size="sm" checked={isOn} onCheckedChange={({ checked }) => onChange(checked)}>
      <Switch.HiddenInput />
      <Switch.Control />
      <Switch.Label>{label}</Switch.Label>
    </Switch.Root>
  )
}

/** Side by side where there is room. */
export const Pair = ({ children }: { children: ReactNode }) => (
  <Flex
    gap="4"
    direction={{ base: 'column', sm: 'row' }}
    align="start"
    css={{ '& > *': { flex: '1 1 0', minWidth: 0 } }}
  >
    {children}
  </Flex>
)

interface MoreProps {
  title: string
  /** What is set, in a few words, while it is closed. */
  says: string
  /** One of its fields is wrong: it opens. */
  isWrong: boolean
  children: ReactNode
}

/** Settings that most people leave as they are. */
export function More({ title, says, isWrong, children }: MoreProps) {
  return (
    <chakra.details {...(isWrong ? { open: true } : {})} borderTopWidth="1px" pt="3">
      <chakra.summary cursor="pointer" minH="6" textStyle="sm">
        <chakra.span fontWeight="semibold">{title}</chakra.span> <chakra.span color="fg.muted">{says}</chakra.span>
      </chakra.summary>
      <Stack gap="4" mt="4">
        {children}
      </Stack>
    </chakra.details>
  )
}

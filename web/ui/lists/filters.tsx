/** Filter controls above a list. Each applies immediately. */
import { Field, Input, NativeSelect } from '@chakra-ui/react'
import { useState } from 'react'

interface ChoiceFilterProps<Value extends string> {
  label: string
  value?: Value
  options: readonly (readonly [value: Value, label: string])[]
  onChange: (value?: Value) => void
}

export function ChoiceFilter<Value extends string>({ label, value, options, onChange }: ChoiceFilterProps<Value>) {
  return (
    <Field.Root flex="1 1 8rem" maxW={{ md: '44' }}>
      <Field.Label>{label}</Field.Label>
      <NativeSelect.Root size="sm">
        <NativeSelect.Field
          value={value ?? ''}
          onChange={(event) => onChange((event.target.value || undefined) as Value | undefined)}
        >
          <option value="">Any</option>
          {options.map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </NativeSelect.Field>
        <NativeSelect.Indicator />
      </NativeSelect.Root>
    </Field.Root>
  )
}

interface TextFilterProps {
  label: string
  value?: string
  onCommit: (value?: string) => void
}

/** A text filter that applies on Enter or blur. */
export function TextFilter({ label, value = '', onCommit }: TextFilterProps) {
  const [draft, setDraft] = useState(value)
  const [shown, setShown] = useState(value)
  if (shown !== value) {
    setShown(value)
    setDraft(value)
  }
  const commit = () => draft.trim() !== value && onCommit(draft.trim() || undefined)
  return (
    <Field.Root flex="1 1 8rem" maxW={{ md: '52' }}>
      <Field.Label>{label}</Field.Label>
      <Input
        size="sm"
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => event.key === 'Enter' && commit()}
      />
    </Field.Root>
  )
}

interface DateFilterProps {
  label: string
  /** ISO timestamp. */
  value?: string
  onChange: (value?: string) => void
  endOfDay?: boolean
}

export function DateFilter({ label, value, onChange, endOfDay = false }: DateFilterProps) {
  const time = endOfDay ? 'T23:59:59.999' : 'T00:00:00'
  return (
    <Field.Root flex="1 1 8rem" maxW={{ md: '44' }}>
      <Field.Label>{label}</Field.Label>
      <Input
        size="sm"
        type="date"
        value={value ? localDate(new Date(value)) : ''}
        onChange={({ target }) => onChange(target.value ? new Date(target.value + time).toISOString() : undefined)}
      />
    </Field.Root>
  )
}

/** Returns `2026-03-09` in the browser's time zone. */
const localDate = (date: Date) =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-')

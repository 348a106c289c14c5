/** Controls for numbers, booleans, options and secrets. */
import { Checkbox, Input, NativeSelect, Stack, Switch } from '@chakra-ui/react'
import { offeredOptions, visibleOptions } from '#contract/flow/params/params.ts'
import { FreeInput } from './FreeInput.tsx'
import { ZoneSelect } from './schedule/ZoneSelect.tsx'
import { TextInput } from './TextInput.tsx'
import { ownZone } from './trigger/clock.ts'
import { asText, type InputProps } from './types.ts'

/** A number, or text with references if the parameter accepts variables. Empty is stored as an empty string. */
export function NumberInput(props: InputProps) {
  const { id, param, value, onChange, onDone } = props
  if (param.acceptVariable) return <TextInput {...props} onChange={(text) => onChange(toNumber(text))} />
  return (
    <Input
      id={id}
      size="sm"
      type="number"
      step={param.step ?? 'any'}
      placeholder={param.placeholder}
      value={asText(value)}
      onChange={(event) => onChange(toNumber(event.target.value))}
      onBlur={onDone}
    />
  )
}

/** Returns the number for text in canonical form, otherwise the text. */
function toNumber(text: unknown): unknown {
  return typeof text === 'string' && text !== '' && String(Number(text)) === text ? Number(text) : text
}

export function BooleanInput({ id, value, onChange }: InputProps) {
  const checked = value === true || value === 'true'
  return (
    <Switch.Root
      ids={{ hiddenInput: id, label: `${id}-label` }}
      size="sm"
      checked={checked}
      onCheckedChange={(change) => onChange(change.checked)}
    >
      <Switch.HiddenInput />
      <Switch.Control />
    </Switch.Root>
  )
}

export function OptionsInput(props: InputProps) {
  const { id, param, value, onChange, scope } = props
  const chosen = asText(value)
  const visible = visibleOptions(param, { ...scope, ...(scope.at ? { index: scope.at.index } : {}) })
  const options = offeredOptions(visible, chosen)
  if (param.control === 'timeZone')
    return <ZoneSelect id={id} size="sm" value={chosen} own={ownZone()} onChange={onChange} />
  if (param.freeSolo) return <FreeInput {...props} options={options} />
  const known = options.some((option) => option.name === chosen)
  return (
    <NativeSelect.Root size="sm">
      <NativeSelect.Field id={id} value={chosen} onChange={(event) => onChange(event.target.value)}>
        {(chosen === '' || param.optional) && <option value="">{param.placeholder ?? 'Choose…'}</option>}
        {!known && chosen !== '' && <option value={chosen}>{chosen} (unknown)</option>}
        {options.map((option) => (
          <option key={option.name} value={option.name}>
            {option.label}
          </option>
        ))}
      </NativeSelect.Field>
      <NativeSelect.Indicator />
    </NativeSelect.Root>
  )
}

/** Multiple options, stored as the JSON text of a list. */
export function MultiOptionsInput({ id, param, value, onChange, scope }: InputProps) {
  const chosen = parseChosen(value)
  const options = visibleOptions(param, scope)
  const toggle = (name: string, on: boolean) => {
    const next = options.map((option) => option.name).filter((each) => (each === name ? on : chosen.has(each)))
    onChange(printChosen(next))
  }
  return (
    <Stack id={id} gap="1" role="group" aria-label={param.label}>
      {options.map((option) => (
        <Checkbox.Root
          key={option.name}
          ids={optionIds(id, option.name)}
          size="sm"
          colorPalette="accent"
          checked={chosen.has(option.name)}
          onCheckedChange={(change) => toggle(option.name, change.checked === true)}
        >
          <Checkbox.HiddenInput />
          <Checkbox.Control />
          <Checkbox.Label>{option.label}</Checkbox.Label>
        </Checkbox.Root>
      ))}
    </Stack>
  )
}

/** Returns unique ids, since checkboxes otherwise inherit the id of the surrounding field. */
export const optionIds = (id: string, name: string) => ({
  root: `${id}-${name}-option`,
  hiddenInput: `${id}-${name}`,
  control: `${id}-${name}-control`,
  label: `${id}-${name}-label`,
})

/** Returns JSON text; an empty string when nothing is chosen. */
export const printChosen = (names: readonly string[]): string => (names.length > 0 ? JSON.stringify(names) : '')

export function parseChosen(value: unknown): ReadonlySet<string> {
  if (Array.isArray(value)) return new Set(value.map(String))
  if (typeof value !== 'string' || value === '') return new Set()
  try {
    const parsed: unknown = JSON.parse(value)
    return new Set(Array.isArray(parsed) ? parsed.map(String) : [value])
  } catch {
    return new Set([value])
  }
}

export function PasswordInput({ id, param, value, onChange, onDone }: InputProps) {
  return (
    <Input
      id={id}
      size="sm"
      type="password"
      autoComplete="new-password"
      placeholder={param.placeholder}
      value={asText(value)}
      onChange={(event) => onChange(event.target.value)}
      onBlur={onDone}
    />
  )
}

/** @jsxImportSource preact */
/** The forms of a chat: the one a flow starts with, and what a visitor leaves before the first message. */
import { useState } from 'preact/hooks'
import type { ChatForm, FormField } from '../../chat/start-form.ts'
import type { Lead } from '../api.ts'
import { messageOf } from '../session.ts'
import type { LeadFields } from '../settings.ts'
import { Failure } from './Failure.tsx'

type Values = Record<string, unknown>

export function StartForm({ form, isBusy, onSend }: { form: ChatForm; isBusy: boolean; onSend(values: Values): void }) {
  const [values, setValues] = useState<Values>(() =>
    Object.fromEntries(
      form.fields.map(({ name, type, options }) => [name, type === 'boolean' ? false : (options[0] ?? '')]),
    ),
  )
  return (
    <form
      class="fields"
      aria-label={form.title || 'Form'}
      onSubmit={(event) => {
        event.preventDefault()
        onSend(values)
      }}
    >
      {form.title && <strong>{form.title}</strong>}
      {form.description && <p class="status">{form.description}</p>}
      {form.fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          value={values[field.name]}
          onChange={(value) => setValues({ ...values, [field.name]: value })}
        />
      ))}
      <button class="solid" type="submit" disabled={isBusy}>
        Send
      </button>
    </form>
  )
}

interface FieldProps {
  field: FormField
  value: unknown
  onChange(value: unknown): void
}

function Field({ field: { type, label, options }, value, onChange }: FieldProps) {
  if (type === 'boolean')
    return (
      <label class="check">
        <input type="checkbox" checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
        {label}
      </label>
    )
  if (type === 'options')
    return (
      <label>
        {label}
        <select class="field" value={String(value)} onChange={(event) => onChange(event.currentTarget.value)}>
          {options.map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </select>
      </label>
    )
  const read = (text: string) => (type === 'number' && text !== '' ? Number(text) : text)
  return (
    <label>
      {label}
      <input
        class="field"
        type={type === 'number' ? 'number' : 'text'}
        list={undefined}
        step="any"
        value={String(value ?? '')}
        onInput={(event) => onChange(read(event.currentTarget.value))}
      />
    </label>
  )
}

const LEAD_FIELDS = {
  name: { label: 'Name', type: 'text', complete: 'name' },
  email: { label: 'Email', type: 'email', complete: 'email' },
  phone: { label: 'Phone', type: 'tel', complete: 'tel' },
} as const

/** `onLeave` rejects when the lead could not be saved. */
export function LeadForm({
  fields,
  title,
  onLeave,
}: Omit<LeadFields, 'successMessage'> & { onLeave(lead: Lead): Promise<void> }) {
  const [lead, setLead] = useState<Lead>({})
  const [error, setError] = useState('')
  const [isBusy, setBusy] = useState(false)
  async function submit(event: Event) {
    event.preventDefault()
    setBusy(true)
    try {
      await onLeave(lead)
    } catch (reason) {
      setError(messageOf(reason))
      setBusy(false)
    }
  }
  return (
    <form class="fields" aria-label={title} onSubmit={submit}>
      <p>{title}</p>
      {fields.map((field) => {
        const { label, type, complete } = LEAD_FIELDS[field]
        return (
          <label key={field}>
            {label}
            <input
              class="field"
              type={type}
              list={undefined}
              autocomplete={complete}
              required
              maxLength={320}
              value={lead[field] ?? ''}
              onInput={(event) => setLead({ ...lead, [field]: event.currentTarget.value })}
            />
          </label>
        )
      })}
      <Failure message={error} />
      <button class="solid" type="submit" disabled={isBusy}>
        Start chat
      </button>
    </form>
  )
}

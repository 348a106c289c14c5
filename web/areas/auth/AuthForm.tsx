import { Button, Input } from '@chakra-ui/react'
import type { ChangeEvent, ReactNode } from 'react'
import { Field, Form } from '../../ui/forms/Form.tsx'
import { PasswordInput } from '../../ui/forms/PasswordInput.tsx'
import type { useForm } from '../../ui/forms/use-form.ts'

interface AuthField<Name extends string = string> {
  name: Name
  label: string
  /** What the browser fills in. */
  autoComplete: string
  help?: string | undefined
  type?: 'text' | 'email'
  /** Hidden while it is typed, under this noun. */
  secret?: string
}

export const EMAIL_FIELD = { name: 'email', label: 'Email', autoComplete: 'username', type: 'email' } as const

interface Props<Values extends object> {
  form: ReturnType<typeof useForm<Values>>
  /** The first one has the focus. */
  fields: AuthField<keyof Values & string>[]
  button: string
  busyText: string
  /** Below the button. */
  children?: ReactNode
}

/** A form of texts with one button, as the pages of the sign-in layout have them. */
export function AuthForm<Values extends object>({ form, fields, button, busyText, children }: Props<Values>) {
  const { values, errors, busy, set, submit } = form
  const inputProps = ({ name, autoComplete }: AuthField<keyof Values & string>, at: number) => ({
    ...{ name, autoComplete, autoFocus: at === 0 },
    value: String(values[name] ?? ''),
    onChange: (event: ChangeEvent<HTMLInputElement>) => set({ [name]: event.target.value } as Partial<Values>),
  })
  return (
    <Form onSubmit={submit} summary={errors.summary}>
      {fields.map((field, at) => (
        <Field key={field.name} label={field.label} help={field.help} error={errors.fields[field.name]}>
          {field.secret ? (
            <PasswordInput noun={field.secret} {...inputProps(field, at)} />
          ) : (
            <Input type={field.type ?? 'text'} {...inputProps(field, at)} />
          )}
        </Field>
      ))}
      <Button type="submit" colorPalette="accent" loading={busy} loadingText={busyText}>
        {button}
      </Button>
      {children}
    </Form>
  )
}

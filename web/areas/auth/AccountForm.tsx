import { Button, Input } from '@chakra-ui/react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { SessionUser } from '#contract/account.ts'
import { api } from '../../api/client.ts'
import { setSession } from '../../api/session.ts'
import { Field, Form } from '../../ui/Form.tsx'
import { type AccountFields, checkAccount, MIN_PASSWORD } from './account-form.ts'
import { useSubmit } from './use-submit.ts'

/** Makes an account, signs it in and opens the product. */
export function AccountForm({ button }: { button: string }) {
  const navigate = useNavigate()
  const [fields, setFields] = useState<AccountFields>({ name: '', email: '', password: '' })
  const { errors, busy, submit } = useSubmit(
    () => checkAccount(fields),
    async () => {
      setSession(await api.post<SessionUser>('/account/register', fields))
      await navigate({ to: '/app' })
    },
  )
  const input = (name: keyof AccountFields, type: string, autoComplete: string) => (
    <Input
      type={type}
      name={name}
      autoComplete={autoComplete}
      autoFocus={name === 'name'}
      value={fields[name]}
      onChange={(event) => setFields({ ...fields, [name]: event.target.value })}
    />
  )
  return (
    <Form onSubmit={submit} summary={errors.summary}>
      <Field label="Name" error={errors.fields.name}>
        {input('name', 'text', 'name')}
      </Field>
      <Field label="Email" error={errors.fields.email}>
        {input('email', 'email', 'username')}
      </Field>
      <Field label="Password" help={`At least ${MIN_PASSWORD} characters.`} error={errors.fields.password}>
        {input('password', 'password', 'new-password')}
      </Field>
      <Button type="submit" colorPalette="accent" loading={busy} loadingText="Creating your account">
        {button}
      </Button>
    </Form>
  )
}

import { Button, Input } from '@chakra-ui/react'
import { useNavigate } from '@tanstack/react-router'
import type { ChangeEvent } from 'react'
import type { SessionUser } from '#contract/account.ts'
import { api } from '../../api/client.ts'
import { setSession } from '../../api/session.ts'
import { Field, Form } from '../../ui/forms/Form.tsx'
import { PasswordInput } from '../../ui/forms/PasswordInput.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { type AccountFields, checkAccount, MIN_PASSWORD } from './account-form.ts'

interface Props {
  button: string
  needsToken?: boolean | undefined
  /** A letter confirms the address first; called with what the server says of it. */
  onLetter?(message: string): void
}

/** Creates an account and signs in. `needsToken` comes from the server's setup check. */
export function AccountForm({ button, needsToken = false, onLetter }: Props) {
  const navigate = useNavigate()
  const complete = (fields: AccountFields) => (needsToken ? { setupToken: '', ...fields } : fields)
  const { values, errors, busy, set, submit } = useForm<AccountFields>({
    initial: { name: '', email: '', password: '' },
    check: (fields) => checkAccount(complete(fields)),
    send: async (fields) => {
      const answer = await api.post<SessionUser | { message: string }>('/account/register', complete(fields))
      if ('message' in answer) return onLetter?.(answer.message)
      setSession(answer)
      await navigate({ to: '/app' })
    },
  })
  const inputProps = (name: keyof AccountFields) => ({
    name,
    value: values[name] ?? '',
    onChange: (event: ChangeEvent<HTMLInputElement>) => set({ [name]: event.target.value }),
  })
  return (
    <Form onSubmit={submit} summary={errors.summary}>
      <Field label="Name" error={errors.fields.name}>
        <Input autoComplete="name" autoFocus {...inputProps('name')} />
      </Field>
      <Field label="Email" error={errors.fields.email}>
        <Input type="email" autoComplete="username" {...inputProps('email')} />
      </Field>
      <Field label="Password" help={`At least ${MIN_PASSWORD} characters.`} error={errors.fields.password}>
        <PasswordInput autoComplete="new-password" {...inputProps('password')} />
      </Field>
      {needsToken && (
        <Field
          label="Setup token"
          help="Find it in the SETUP_TOKEN setting of the server."
          error={errors.fields.setupToken}
        >
          <PasswordInput noun="setup token" autoComplete="off" {...inputProps('setupToken')} />
        </Field>
      )}
      <Button type="submit" colorPalette="accent" loading={busy} loadingText="Creating your account">
        {button}
      </Button>
    </Form>
  )
}

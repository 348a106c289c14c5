import { useNavigate } from '@tanstack/react-router'
import type { SessionUser } from '#contract/account/account.ts'
import { api } from '../../api/client.ts'
import { setSession } from '../../api/session.ts'
import { useForm } from '../../ui/forms/use-form.ts'
import { AuthForm, EMAIL_FIELD } from './AuthForm.tsx'
import { type AccountFields, checkAccount, NAME_FIELD, NEW_PASSWORD_FIELD } from './account-form.ts'

interface Props {
  button: string
  needsToken?: boolean | undefined
  /** An email confirms the address first; called with what the server says of it. */
  onEmailSent?(message: string): void
}

const TOKEN_FIELD = {
  name: 'setupToken',
  label: 'Setup token',
  autoComplete: 'off',
  secret: 'setup token',
  help: 'Find it in the SETUP_TOKEN setting of the server.',
} as const

/** Creates an account and signs in. `needsToken` comes from the server's setup check. */
export function AccountForm({ button, needsToken = false, onEmailSent }: Props) {
  const navigate = useNavigate()
  const complete = (fields: AccountFields) => (needsToken ? { setupToken: '', ...fields } : fields)
  const form = useForm<AccountFields>({
    initial: { name: '', email: '', password: '' },
    check: (fields) => checkAccount(complete(fields)),
    send: async (fields) => {
      const answer = await api.post<SessionUser | { message: string }>('/account/register', complete(fields))
      if ('message' in answer) return onEmailSent?.(answer.message)
      setSession(answer)
      await navigate({ to: '/app' })
    },
  })
  return (
    <AuthForm
      form={form}
      fields={[NAME_FIELD, EMAIL_FIELD, NEW_PASSWORD_FIELD, ...(needsToken ? [TOKEN_FIELD] : [])]}
      button={button}
      busyText="Creating your account"
    />
  )
}

import { api } from '../../api/client.ts'
import { fieldErrors } from '../../ui/forms/form-errors.ts'
import { useForm } from '../../ui/forms/use-form.ts'
import { AuthForm } from './AuthForm.tsx'
import { AuthText } from './AuthText.tsx'

/** Asks for what the operator set in front of /setup. */
export function BasicAuthForm({ onOpen }: { onOpen(): void }) {
  const form = useForm({
    initial: { username: '', password: '' },
    check: ({ username, password }) =>
      fieldErrors({
        username: username === '' && 'Enter the user name.',
        password: password === '' && 'Enter the password.',
      }),
    send: async (fields) => {
      await api.post('/account/basic-auth', fields)
      onOpen()
    },
  })
  return (
    <>
      <AuthText title="Set up Heddle">Enter the SETUP_USERNAME and SETUP_PASSWORD of this server.</AuthText>
      <AuthForm
        form={form}
        fields={[
          { name: 'username', label: 'User name', autoComplete: 'username' },
          { name: 'password', label: 'Password', autoComplete: 'current-password', secret: 'password' },
        ]}
        button="Continue"
        busyText="Opening"
      />
    </>
  )
}

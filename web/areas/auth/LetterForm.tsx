import { Button, Input } from '@chakra-ui/react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { Field, Form } from '../../ui/forms/Form.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { checkEmail } from './account-form.ts'

/** Asks for an address and has a letter sent there. */
export function LetterForm({ path, button }: { path: string; button: string }) {
  const [sent, setSent] = useState('')
  const { values, errors, busy, set, submit } = useForm({
    initial: { email: '' },
    check: checkEmail,
    send: async (fields) => {
      setSent((await api.post<{ message: string }>(path, fields)).message)
    },
  })
  return (
    <>
      {sent && (
        <Notice kind="success" mb="5" role="status">
          {sent}
        </Notice>
      )}
      <Form onSubmit={submit} summary={errors.summary}>
        <Field label="Email" error={errors.fields.email}>
          <Input
            type="email"
            name="email"
            autoComplete="username"
            autoFocus
            value={values.email}
            onChange={(event) => set({ email: event.target.value })}
          />
        </Field>
        <Button type="submit" colorPalette="accent" loading={busy} loadingText="Sending">
          {sent ? 'Send it again' : button}
        </Button>
      </Form>
    </>
  )
}

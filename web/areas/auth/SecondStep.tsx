import { Button, Heading, Input, Text } from '@chakra-ui/react'
import { useEffect, useRef } from 'react'
import type { SessionUser } from '#contract/account/account.ts'
import { api } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { Field, Form } from '../../ui/forms/Form.tsx'
import { fieldErrors } from '../../ui/forms/form-errors.ts'
import { useForm } from '../../ui/forms/use-form.ts'

interface Props {
  challenge: string
  onSignedIn(user: SessionUser): Promise<void>
  /** The password must be entered again; says why. */
  onOver(reason?: string): void
}

/** Asks for the code that completes signing in. */
export default function SecondStep({ challenge, onSignedIn, onOver }: Props) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  const { values, errors, busy, set, submit } = useForm({
    initial: { code: '' },
    check: ({ code }) => fieldErrors({ code: code.trim() === '' && 'Enter the code.' }),
    send: async ({ code }) => {
      const user = await api.post<SessionUser>('/auth/second-step', { challenge, code }).catch((error: unknown) => {
        // The same as SIGN_IN_AGAIN, without the schemas that stand beside it.
        if (!(error instanceof ApiError) || error.body.error !== 'sign_in_again') throw error
        onOver(error.message)
      })
      if (user) await onSignedIn(user)
    },
  })
  return (
    <>
      <Heading as="h1" size="2xl">
        Enter your code
      </Heading>
      <Text color="fg.muted" mt="2" mb="6">
        Open your authenticator app for the code. Without your phone, use a recovery code.
      </Text>
      <Form onSubmit={submit} summary={errors.summary}>
        <Field label="Code" error={errors.fields.code}>
          <Input
            ref={input}
            name="code"
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={40}
            value={values.code}
            onChange={(event) => set({ code: event.target.value })}
          />
        </Field>
        <Button type="submit" colorPalette="accent" loading={busy} loadingText="Signing in">
          Continue
        </Button>
        <Button variant="ghost" onClick={() => onOver()}>
          Back to sign in
        </Button>
      </Form>
    </>
  )
}

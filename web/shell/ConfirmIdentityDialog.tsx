import { Button, Flex, Input, Skeleton, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Confirmation, ConfirmMethod, ConfirmMethods } from '#contract/organization/security.ts'
import { api } from '../api/client.ts'
import { keys } from '../api/query.ts'
import { ContentDialog } from '../ui/feedback/ContentDialog.tsx'
import { ErrorState } from '../ui/feedback/ErrorState.tsx'
import { Notice } from '../ui/feedback/Notice.tsx'
import { Field, Form } from '../ui/forms/Form.tsx'
import { fieldErrors } from '../ui/forms/form-errors.ts'
import { PasswordInput } from '../ui/forms/PasswordInput.tsx'
import { useForm } from '../ui/forms/use-form.ts'
import { ProviderProof } from './ProviderProof.tsx'

const INSTEAD: Record<ConfirmMethod, string> = {
  password: 'Use your password instead',
  code: 'Use a code instead',
  passkey: 'Use a passkey instead',
}

interface Props {
  onAnswer(proved: boolean): void
}

export default function ConfirmIdentityDialog({ onAnswer }: Props) {
  const { data, error, refetch } = useQuery({
    queryKey: keys.one('security', 'confirm'),
    queryFn: () => api.get<ConfirmMethods>('/auth/confirm'),
    staleTime: 0,
  })
  return (
    <ContentDialog title="Confirm that it’s you" size="sm" scroll="outside" onClose={() => onAnswer(false)}>
      {error && <ErrorState title="Couldn’t load your sign-in methods" text={error.message} onRetry={refetch} />}
      {!data && !error && <Skeleton h="24" />}
      {data && <Proof {...data} onAnswer={onAnswer} />}
    </ContentDialog>
  )
}

function Proof({ methods, provider, onAnswer }: ConfirmMethods & Props) {
  const [method, setMethod] = useState(methods[0])
  if (!method && provider) return <ProviderProof provider={provider} onAnswer={onAnswer} />
  if (!method) return <Text>Sign out and in again, and repeat what you were doing within ten minutes.</Text>
  return (
    <>
      {method === 'passkey' ? (
        <PasskeyProof onAnswer={onAnswer} />
      ) : (
        <ProofForm key={method} method={method} onAnswer={onAnswer} />
      )}
      <Flex gap="2" mt="3" wrap="wrap">
        {methods
          .filter((name) => name !== method)
          .map((name) => (
            <Button key={name} variant="ghost" size="sm" onClick={() => setMethod(name)}>
              {INSTEAD[name]}
            </Button>
          ))}
      </Flex>
    </>
  )
}

function PasskeyProof({ onAnswer }: Props) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const prove = async () => {
    setBusy(true)
    try {
      const { confirmWithPasskey } = await import('../api/passkeys.ts')
      if (await confirmWithPasskey()) onAnswer(true)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      setProblem(error.message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      {problem && (
        <Notice kind="danger" mb="4">
          {problem}
        </Notice>
      )}
      <Button colorPalette="accent" loading={busy} loadingText="Waiting for your passkey" onClick={prove}>
        Use your passkey
      </Button>
    </>
  )
}

function ProofForm({ method, onAnswer }: { method: Exclude<ConfirmMethod, 'passkey'> } & Props) {
  const isCode = method === 'code'
  const label = isCode ? 'Code' : 'Password'
  const { values, errors, busy, set, submit } = useForm({
    initial: { proof: '' },
    check: ({ proof }) => fieldErrors({ [method]: proof.trim() === '' && `Enter your ${method}.` }),
    send: async ({ proof }) => {
      const confirmation: Confirmation = isCode ? { code: proof } : { password: proof }
      await api.post('/auth/confirm', confirmation)
      onAnswer(true)
    },
  })
  const input = {
    name: method,
    autoFocus: true,
    value: values.proof,
    onChange: (event: { target: { value: string } }) => set({ proof: event.target.value }),
  }
  return (
    <Form onSubmit={submit} summary={errors.summary}>
      <Field
        label={label}
        help={isCode ? 'From your authenticator app, or a recovery code.' : undefined}
        error={errors.fields[method]}
      >
        {isCode ? (
          <Input autoComplete="one-time-code" inputMode="text" {...input} />
        ) : (
          <PasswordInput autoComplete="current-password" {...input} />
        )}
      </Field>
      <Button type="submit" colorPalette="accent" loading={busy} loadingText="Confirming">
        Confirm
      </Button>
    </Form>
  )
}

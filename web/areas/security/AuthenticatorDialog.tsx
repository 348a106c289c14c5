import { Box, Input, Text } from '@chakra-ui/react'
import { lazy, Suspense } from 'react'
import type { NewAuthenticator } from '#contract/organization/security.ts'
import { CopyField } from '../../ui/CopyField.tsx'
import { Field } from '../../ui/forms/Form.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { fieldErrors } from '../../ui/forms/form-errors.ts'
import { useForm } from '../../ui/forms/use-form.ts'
import { confirmAuthenticator } from './queries.ts'

const QrCode = lazy(() => import('./QrCode.tsx'))

interface Props {
  authenticator: NewAuthenticator
  onTurnedOn(recoveryCodes: string[]): void
  onClose(): void
}

export function AuthenticatorDialog({ authenticator, onTurnedOn, onClose }: Props) {
  const form = useForm({
    initial: { code: '' },
    check: ({ code }) => fieldErrors({ code: !/^\d{6}$/.test(code.replaceAll(' ', '')) && 'Enter the six digits.' }),
    send: async ({ code }) => onTurnedOn((await confirmAuthenticator(code)).recoveryCodes),
  })
  return (
    <FormDialog title="Set up authenticator app" submit="Turn on" form={form} onClose={onClose}>
      <Text textStyle="sm">Scan this QR code with an authenticator app, then enter the code that it shows.</Text>
      <Box boxSize="48" mx="auto">
        <Suspense>
          <QrCode text={authenticator.uri} label="QR code for your authenticator app" />
        </Suspense>
      </Box>
      <Box>
        <Text textStyle="xs" color="fg.muted" mb="1.5">
          Can’t scan it? Enter this key in the app.
        </Text>
        <CopyField label="Key" value={authenticator.secret} />
      </Box>
      <Field label="Code" error={form.errors.fields.code}>
        <Input
          name="code"
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={7}
          value={form.values.code}
          onChange={(event) => form.set({ code: event.target.value })}
        />
      </Field>
    </FormDialog>
  )
}

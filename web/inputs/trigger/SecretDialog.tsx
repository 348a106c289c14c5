import { Input, NativeSelect } from '@chakra-ui/react'
import type { Trigger } from '#contract/triggers/index.ts'
import { notify } from '../../state/notify.ts'
import { Field } from '../../ui/forms/Form.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { fieldErrors } from '../../ui/forms/form-errors.ts'
import { useForm } from '../../ui/forms/use-form.ts'
import { rotateSecret } from './queries.ts'
import { SIGNATURE_SETUPS } from './signature-setups.ts'

interface SecretDialogProps {
  trigger: Trigger
  /** Receives a generated secret, so that it can be shown once. */
  onGenerated: (secret: string) => void
  onClose: () => void
}

const MIN_LENGTH = 8

/** Generates a secret or stores the sender's. The old secret can stay valid for a while. */
export function SecretDialog({ trigger, onGenerated, onClose }: SecretDialogProps) {
  const { id, settings, hasSecret } = trigger
  const isSenderSecret = settings.kind === 'webhook' && SIGNATURE_SETUPS[settings.signature].isSenderSecret
  const form = useForm({
    initial: { from: isSenderSecret ? 'sender' : 'here', secret: '', overlapHours: '24' },
    check: ({ from, secret, overlapHours }) =>
      fieldErrors({
        secret: from === 'sender' && secret.trim().length < MIN_LENGTH && `Enter at least ${MIN_LENGTH} characters.`,
        overlapHours: !(Number(overlapHours) >= 0 && Number(overlapHours) <= 720) && 'Enter a number from 0 to 720.',
      }),
    send: async ({ from, secret, overlapHours }) => {
      const own = from === 'sender' ? { secret: secret.trim() } : {}
      const generated = await rotateSecret(id, { ...own, overlapHours: Number(overlapHours) })
      notify.success('Secret saved')
      onClose()
      if (from === 'here') onGenerated(generated.secret)
    },
  })
  const { values, errors, set } = form
  return (
    <FormDialog
      title={hasSecret ? 'Replace secret' : 'Set secret'}
      submit={values.from === 'here' ? 'Generate secret' : 'Save secret'}
      form={form}
      onClose={onClose}
    >
      <Field label="Source">
        <NativeSelect.Root>
          <NativeSelect.Field value={values.from} onChange={(event) => set({ from: event.target.value })}>
            <option value="here">Generate a new secret</option>
            <option value="sender">Enter the sender’s secret (Stripe, Slack)</option>
          </NativeSelect.Field>
          <NativeSelect.Indicator />
        </NativeSelect.Root>
      </Field>
      {values.from === 'sender' && (
        <Field
          label="Secret"
          help="Copy it from the sender. It’s stored encrypted and never shown again."
          error={errors.fields.secret}
        >
          <Input
            type="password"
            autoComplete="off"
            value={values.secret}
            onChange={(event) => set({ secret: event.target.value })}
          />
        </Field>
      )}
      {hasSecret && (
        <Field
          label="Old secret stays valid for (hours)"
          help="Gives you time to update the sender. Set 0 to revoke the old secret now."
          error={errors.fields.overlapHours}
        >
          <Input
            type="number"
            min={0}
            max={720}
            value={values.overlapHours}
            onChange={(event) => set({ overlapHours: event.target.value })}
          />
        </Field>
      )}
    </FormDialog>
  )
}

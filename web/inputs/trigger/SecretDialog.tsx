import { Input, NativeSelect } from '@chakra-ui/react'
import type { Trigger } from '#contract/triggers/index.ts'
import { notify } from '../../state/notify.ts'
import { Field } from '../../ui/Form.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { fieldErrors } from '../../ui/form-errors.ts'
import { useForm } from '../../ui/use-form.ts'
import { rotateSecret } from './queries.ts'
import { SIGNATURE_LABELS } from './signature-labels.ts'

interface SecretDialogProps {
  trigger: Trigger
  /** Gets a secret that was made here; one that was entered is known to the person. */
  onMade: (secret: string) => void
  onClose: () => void
}

const MIN_LENGTH = 8

/** Makes a secret, or takes the one that the sender made; the one before may count on for a while. */
export function SecretDialog({ trigger, onMade, onClose }: SecretDialogProps) {
  const { id, settings, hasSecret } = trigger
  const isGiven = settings.kind === 'webhook' && SIGNATURE_LABELS[settings.signature].isGiven
  const form = useForm({
    initial: { from: isGiven ? 'sender' : 'here', secret: '', overlapHours: '24' },
    check: ({ from, secret, overlapHours }) =>
      fieldErrors({
        secret: from === 'sender' && secret.trim().length < MIN_LENGTH && `Enter at least ${MIN_LENGTH} characters.`,
        overlapHours: !(Number(overlapHours) >= 0 && Number(overlapHours) <= 720) && 'Enter hours from 0 to 720.',
      }),
    send: async ({ from, secret, overlapHours }) => {
      const own = from === 'sender' ? { secret: secret.trim() } : {}
      const made = await rotateSecret(id, { ...own, overlapHours: Number(overlapHours) })
      notify.success('Secret stored')
      onClose()
      if (from === 'here') onMade(made.secret)
    },
  })
  const { values, errors, set } = form
  return (
    <FormDialog
      title={hasSecret ? 'Replace the secret' : 'Set a secret'}
      submit={values.from === 'here' ? 'Make a secret' : 'Store the secret'}
      busy={form.busy}
      dirty={form.dirty}
      summary={errors.summary}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <Field label="Where it comes from">
        <NativeSelect.Root>
          <NativeSelect.Field value={values.from} onChange={(event) => set({ from: event.target.value })}>
            <option value="here">A new random one, made here</option>
            <option value="sender">The sender’s own, as with Stripe and Slack</option>
          </NativeSelect.Field>
          <NativeSelect.Indicator />
        </NativeSelect.Root>
      </Field>
      {values.from === 'sender' && (
        <Field
          label="Secret"
          help="Copy it from the sender. It is kept encrypted and never shown again."
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
          label="Hours for which the old one is still taken"
          help="Time to change it at the sender. 0: it stops at once."
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

import { Input, Text } from '@chakra-ui/react'
import type { TriggerLimits } from '#contract/triggers/index.ts'
import { useCan } from '../../api/use-can.ts'
import { notify } from '../../state/notify.ts'
import { Field } from '../../ui/Form.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { fieldErrors } from '../../ui/form-errors.ts'
import { useForm } from '../../ui/use-form.ts'
import { saveLimits } from './queries.ts'

const MAX = 1_000_000

/** What all webhooks of the workspace may take together. */
export default function LimitsDialog({ limits, onClose }: { limits: TriggerLimits; onClose: () => void }) {
  const mayChange = useCan()('workspace:update')
  const form = useForm({
    initial: { perMinute: limits.perMinute === null ? '' : String(limits.perMinute) },
    check: ({ perMinute }) => {
      const count = Number(perMinute)
      const isCount = Number.isInteger(count) && count >= 1 && count <= MAX
      return fieldErrors({ perMinute: perMinute.trim() !== '' && !isCount && `Enter a number from 1 to ${MAX}.` })
    },
    send: async ({ perMinute }) => {
      if (mayChange) {
        await saveLimits({ perMinute: perMinute.trim() === '' ? null : Number(perMinute) })
        notify.success('Limits saved')
      }
      onClose()
    },
  })
  return (
    <FormDialog
      title="Limits of this workspace"
      submit={mayChange ? 'Save' : 'Close'}
      busy={form.busy}
      dirty={form.dirty}
      summary={form.errors.summary}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <Text color="fg.muted">
        A request above a limit is refused with 429 and told when to come again. Each trigger may have a lower limit of
        its own.
      </Text>
      <Field
        label="Requests a minute, all webhooks together"
        help={mayChange ? 'Empty: no limit.' : 'You may look at this, not change it.'}
        error={form.errors.fields.perMinute}
      >
        <Input
          type="number"
          min={1}
          disabled={!mayChange}
          value={form.values.perMinute}
          onChange={(event) => form.set({ perMinute: event.target.value })}
        />
      </Field>
    </FormDialog>
  )
}

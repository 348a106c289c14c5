import { Input, Text } from '@chakra-ui/react'
import { describePermissions } from '#contract/access/permissions.ts'
import type { TriggerLimits } from '#contract/triggers/index.ts'
import { useCan } from '../../api/use-can.ts'
import { notify } from '../../state/notify.ts'
import { Field } from '../../ui/forms/Form.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { fieldErrors } from '../../ui/forms/form-errors.ts'
import { useForm } from '../../ui/forms/use-form.ts'
import { saveLimits } from './queries.ts'

const MAX = 1_000_000

/** The rate limit that all webhooks of the workspace share. */
export default function LimitsDialog({ limits, onClose }: { limits: TriggerLimits; onClose: () => void }) {
  const canChange = useCan()('workspace:update')
  const form = useForm({
    initial: { perMinute: limits.perMinute === null ? '' : String(limits.perMinute) },
    check: ({ perMinute }) => {
      const count = Number(perMinute)
      const isCount = Number.isInteger(count) && count >= 1 && count <= MAX
      return fieldErrors({
        perMinute: perMinute.trim() !== '' && !isCount && `Enter a number from 1 to ${MAX}, or leave it empty.`,
      })
    },
    send: async ({ perMinute }) => {
      if (canChange) {
        await saveLimits({ perMinute: perMinute.trim() === '' ? null : Number(perMinute) })
        notify.success('Limits saved')
      }
      onClose()
    },
  })
  return (
    <FormDialog title="Workspace limits" submit={canChange ? 'Save' : 'Close'} form={form} onClose={onClose}>
      <Text color="fg.muted">
        Requests over the limit get a 429 response with a Retry-After header. Each trigger can have its own, lower
        limit.
      </Text>
      <Field
        label="Requests per minute, across all webhooks"
        help={
          canChange
            ? 'Leave empty for no limit.'
            : `You need the permission ${describePermissions('workspace:update')} to change this.`
        }
        error={form.errors.fields.perMinute}
      >
        <Input
          type="number"
          min={1}
          disabled={!canChange}
          value={form.values.perMinute}
          onChange={(event) => form.set({ perMinute: event.target.value })}
        />
      </Field>
    </FormDialog>
  )
}

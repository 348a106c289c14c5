import type { TriggerKind } from '#contract/triggers/settings.ts'
import { useSettings } from '../../../api/use-settings.ts'
import { AdvancedSection, FieldRow, type FieldsProps, TextField } from '../../../ui/forms/fields.tsx'
import type { OperationsDraft } from './draft.ts'

/** Retries, limits and alerts of a trigger. */
export function OperationsFields({ kind, draft, errors, set }: FieldsProps<OperationsDraft> & { kind: TriggerKind }) {
  const { data: settings } = useSettings()
  const hasError = (...names: (keyof OperationsDraft)[]) => names.some((name) => `operations.${name}` in errors)
  const field = (name: keyof OperationsDraft) => ({
    error: errors[`operations.${name}`],
    value: draft[name],
    onChange: (value: string) => set({ [name]: value }),
  })
  return (
    <>
      <AdvancedSection
        title="Failures"
        summary={failureSummary(draft)}
        hasError={hasError('retries', 'retryWaitSeconds', 'pauseAfter')}
      >
        <FieldRow>
          <TextField label="Retries" type="number" {...field('retries')} />
          <TextField
            label="Initial retry delay (seconds)"
            help="Doubles with each retry."
            type="number"
            {...field('retryWaitSeconds')}
          />
        </FieldRow>
        <TextField
          label="Pause after consecutive failures"
          help="The trigger stays paused until you resume it. Set 0 to never pause."
          type="number"
          {...field('pauseAfter')}
        />
      </AdvancedSection>
      <AdvancedSection title="Limits" summary={limitSummary(draft, kind)} hasError={hasError('perMinute', 'keepDays')}>
        <FieldRow>
          {kind === 'webhook' && (
            <TextField
              label="Deliveries per minute"
              help="Requests over the limit get a 429 response. Leave empty to use the workspace limit only."
              type="number"
              {...field('perMinute')}
            />
          )}
          <TextField label="Delivery retention (days)" type="number" {...field('keepDays')} />
        </FieldRow>
      </AdvancedSection>
      <AdvancedSection title="Alerts" summary={alertSummary(draft)} hasError={hasError('alertUrl', 'alertEmail')}>
        <TextField
          label="Alert webhook URL (optional)"
          help="Receives a signed POST when the trigger pauses after failures or a delivery fails for good."
          type="url"
          placeholder="https://"
          {...field('alertUrl')}
        />
        {(settings?.hasMailService || draft.alertEmail !== '') && (
          <TextField
            label="Alert email (optional)"
            help={
              settings && !settings.hasMailService
                ? 'This server can’t send email. Clear this field to save.'
                : undefined
            }
            type="email"
            placeholder="you@example.com"
            {...field('alertEmail')}
          />
        )}
      </AdvancedSection>
    </>
  )
}

const failureSummary = ({ retries, pauseAfter }: OperationsDraft) =>
  [
    retries === '0' ? 'no retries' : retries === '1' ? '1 retry' : `${retries} retries`,
    pauseAfter === '0' ? 'never pauses' : `pauses after ${pauseAfter} in a row`,
  ].join('; ')

const limitSummary = ({ perMinute, keepDays }: OperationsDraft, kind: TriggerKind) =>
  [
    kind === 'webhook' && (perMinute === '' ? 'workspace limit' : `${perMinute} per minute`),
    `deliveries kept for ${keepDays} days`,
  ]
    .filter(Boolean)
    .join('; ')

const alertSummary = ({ alertUrl, alertEmail }: OperationsDraft) =>
  [alertUrl && 'webhook', alertEmail && 'email'].filter(Boolean).join(' and ') || 'off'

import type { TriggerKind } from '#contract/triggers/settings.ts'
import { useSettings } from '../../../api/use-settings.ts'
import type { OperationsDraft } from './draft.ts'
import { type FieldsProps, More, Pair, TextField } from './fields.tsx'

/** What happens when runs fail, how much is taken and kept, and who is told. */
export function OperationsFields({ kind, draft, errors, set }: FieldsProps<OperationsDraft> & { kind: TriggerKind }) {
  const { data: settings } = useSettings()
  const isWrong = (...names: (keyof OperationsDraft)[]) => names.some((name) => `operations.${name}` in errors)
  const field = (name: keyof OperationsDraft) => ({
    error: errors[`operations.${name}`],
    value: draft[name],
    onChange: (value: string) => set({ [name]: value }),
  })
  return (
    <>
      <More title="Failures" says={failureWords(draft)} isWrong={isWrong('retries', 'retryWaitSeconds', 'pauseAfter')}>
        <Pair>
          <TextField label="Try again so often" type="number" {...field('retries')} />
          <TextField
            label="Seconds before the first"
            help="Doubles with each try."
            type="number"
            {...field('retryWaitSeconds')}
          />
        </Pair>
        <TextField
          label="Pause after failures in a row"
          help="It then waits for you to resume it. 0: never."
          type="number"
          {...field('pauseAfter')}
        />
      </More>
      <More title="Limits" says={limitWords(draft, kind)} isWrong={isWrong('perMinute', 'keepDays')}>
        <Pair>
          {kind === 'webhook' && (
            <TextField
              label="Deliveries a minute"
              help="More are refused with 429. Empty: only the workspace’s limit."
              type="number"
              {...field('perMinute')}
            />
          )}
          <TextField label="Keep deliveries for days" type="number" {...field('keepDays')} />
        </Pair>
      </More>
      <More title="Alerts" says={alertWords(draft)} isWrong={isWrong('alertUrl', 'alertEmail')}>
        <TextField
          label="Call this address (optional)"
          help="A signed POST when it pauses itself or gives a delivery up."
          type="url"
          placeholder="https://"
          {...field('alertUrl')}
        />
        {(settings?.canSendMail || draft.alertEmail !== '') && (
          <TextField
            label="Write to (optional)"
            help={settings && !settings.canSendMail ? 'This server cannot send mail: empty this field.' : undefined}
            type="email"
            placeholder="you@example.com"
            {...field('alertEmail')}
          />
        )}
      </More>
    </>
  )
}

const failureWords = ({ retries, pauseAfter }: OperationsDraft) =>
  [
    retries === '0' ? 'not tried again' : `tried again ${retries === '1' ? 'once' : `${retries} times`}`,
    pauseAfter === '0' ? 'never pauses itself' : `pauses itself after ${pauseAfter} in a row`,
  ].join('; ')

const limitWords = ({ perMinute, keepDays }: OperationsDraft, kind: TriggerKind) =>
  [
    kind === 'webhook' && (perMinute === '' ? 'none of its own' : `${perMinute} a minute`),
    `deliveries kept for ${keepDays} days`,
  ]
    .filter(Boolean)
    .join('; ')

const alertWords = ({ alertUrl, alertEmail }: OperationsDraft) =>
  [alertUrl && 'by a call', alertEmail && 'by e-mail'].filter(Boolean).join(' and ') || 'nobody is told'

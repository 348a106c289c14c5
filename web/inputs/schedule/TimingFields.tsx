import { Box, Skeleton, Text } from '@chakra-ui/react'
import { lazy, Suspense } from 'react'
import { CRON_HELP, FIELD_LABELS, FREQUENCY_LABELS } from '#contract/triggers/labels.ts'
import { Field } from '../../ui/forms/Form.tsx'
import { Choice, choicesOf, FieldRow, TextField } from '../../ui/forms/fields.tsx'
import { ownZone } from '../trigger/clock.ts'
import { MonthDayButtons, WeekdayButtons } from './DayButtons.tsx'
import { buildCron, type TimingDraft, toTiming } from './timing.ts'
import { ZoneSelect } from './ZoneSelect.tsx'

const NextRuns = lazy(() => import('../trigger/NextRuns.tsx'))

interface Props {
  draft: TimingDraft
  errors: { cron?: string | undefined; timezone?: string | undefined; endDate?: string | undefined }
  set: (change: Partial<TimingDraft>) => void
}

/** Edits when something runs, with a preview of its next runs. */
export function TimingFields({ draft, errors, set }: Props) {
  const found = buildCron(draft)
  return (
    <>
      <Choice
        label={FIELD_LABELS.scheduleType}
        value={draft.by}
        options={[
          ['picker', 'Days and times'],
          ['cron', FIELD_LABELS.cron],
        ]}
        // Switching to cron starts from the picked days and times.
        onChange={(by) => set({ by, ...(by === 'cron' && 'cron' in found && { cron: found.cron }) })}
      />
      {draft.by === 'cron' ? (
        <TextField
          label={FIELD_LABELS.cron}
          mono
          help={CRON_HELP}
          error={errors.cron}
          value={draft.cron}
          onChange={(cron) => set({ cron })}
        />
      ) : (
        <PickerFields draft={draft} errors={errors} set={set} />
      )}
      <FieldRow>
        <Field label={FIELD_LABELS.timezone} error={errors.timezone}>
          <ZoneSelect value={draft.timezone} own={ownZone()} onChange={(timezone) => set({ timezone })} />
        </Field>
        <TextField
          label={`${FIELD_LABELS.endDate} (optional)`}
          type="date"
          error={errors.endDate}
          value={draft.endDate}
          onChange={(endDate) => set({ endDate })}
        />
      </FieldRow>
      <Box bg="bg.subtle" borderRadius="l2" px="4" py="3" minH="44">
        {'problem' in found ? (
          <Text role="status" textStyle="sm" color="fg.muted">
            {found.problem}
          </Text>
        ) : (
          <Suspense fallback={<Skeleton h="36" />}>
            <NextRuns timing={toTiming(draft)} />
          </Suspense>
        )}
      </Box>
    </>
  )
}

function PickerFields({ draft, errors, set }: Props) {
  return (
    <>
      <FieldRow>
        <Choice
          label={FIELD_LABELS.frequency}
          value={draft.frequency}
          options={choicesOf(FREQUENCY_LABELS)}
          onChange={(frequency) => set({ frequency })}
        />
        {draft.frequency === 'hourly' ? (
          <TextField
            label={FIELD_LABELS.minute}
            type="number"
            value={draft.minute}
            onChange={(minute) => set({ minute })}
          />
        ) : (
          <TextField label={FIELD_LABELS.time} type="time" value={draft.time} onChange={(time) => set({ time })} />
        )}
      </FieldRow>
      {draft.frequency === 'weekly' && (
        <WeekdayButtons
          label={FIELD_LABELS.weekdays}
          days={draft.weekdays}
          onChange={(weekdays) => set({ weekdays })}
        />
      )}
      {draft.frequency === 'monthly' && (
        <MonthDayButtons label={FIELD_LABELS.days} days={draft.days} onChange={(days) => set({ days })} />
      )}
      {errors.cron && (
        <Text color="fg.error" textStyle="xs">
          {errors.cron}
        </Text>
      )}
    </>
  )
}

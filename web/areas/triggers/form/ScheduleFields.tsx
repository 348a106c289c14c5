import { Box, Field as ChakraField, Skeleton, Text, Textarea } from '@chakra-ui/react'
import { lazy, Suspense } from 'react'
import { CRON_HELP, FIELD_LABELS, FREQUENCY_LABELS, MISSED_LABELS, OVERLAP_LABELS } from '#contract/triggers/labels.ts'
import { CodeInput } from '../../../inputs/CodeInput.tsx'
import { MonthDayButtons, WeekdayButtons } from '../../../inputs/schedule/DayButtons.tsx'
import { ZoneSelect } from '../../../inputs/schedule/ZoneSelect.tsx'
import { ownZone } from '../../../inputs/trigger/clock.ts'
import { Field } from '../../../ui/forms/Form.tsx'
import { cronOf, type ScheduleDraft, timingOf } from './draft.ts'
import { AdvancedSection, Choice, choicesOf, FieldRow, type FieldsProps, TextField } from './fields.tsx'

const NextRuns = lazy(() => import('../../../inputs/trigger/NextRuns.tsx'))

type Props = FieldsProps<ScheduleDraft>

/** The timing of a schedule with a preview of its next runs, and the flow's input. */
export function ScheduleFields(props: Props) {
  const { draft, errors, set } = props
  const found = cronOf(draft)
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
          error={errors['settings.cron']}
          value={draft.cron}
          onChange={(cron) => set({ cron })}
        />
      ) : (
        <PickerFields {...props} />
      )}
      <FieldRow>
        <Field label={FIELD_LABELS.timezone} error={errors['settings.timezone']}>
          <ZoneSelect value={draft.timezone} own={ownZone()} onChange={(timezone) => set({ timezone })} />
        </Field>
        <TextField
          label={`${FIELD_LABELS.endDate} (optional)`}
          type="date"
          error={errors['settings.endDate']}
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
            <NextRuns timing={timingOf(draft)} />
          </Suspense>
        )}
      </Box>
      <InputFields {...props} />
      <AdvancedFields {...props} />
    </>
  )
}

function AdvancedFields({ draft, errors, set }: Props) {
  return (
    <AdvancedSection
      title="Overlap, missed runs, jitter"
      summary={`${OVERLAP_SUMMARY[draft.overlap]}; ${MISSED_SUMMARY[draft.missed]}`}
      hasError={'settings.jitterSeconds' in errors}
    >
      <Choice
        label={FIELD_LABELS.overlap}
        value={draft.overlap}
        options={choicesOf(OVERLAP_LABELS)}
        onChange={(overlap) => set({ overlap })}
      />
      <Choice
        label={FIELD_LABELS.missed}
        value={draft.missed}
        options={choicesOf(MISSED_LABELS)}
        onChange={(missed) => set({ missed })}
      />
      <TextField
        label={FIELD_LABELS.jitterSeconds}
        help="Spreads schedules that start in the same minute. Set 0 to start on time."
        type="number"
        error={errors['settings.jitterSeconds']}
        value={draft.jitterSeconds}
        onChange={(jitterSeconds) => set({ jitterSeconds })}
      />
    </AdvancedSection>
  )
}

const OVERLAP_SUMMARY = { skip: 'one run at a time', queue: 'runs queue up', together: 'runs can overlap' }
const MISSED_SUMMARY = { skip: 'missed runs are skipped', runOnce: 'missed runs start once' }

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
      {errors['settings.cron'] && (
        <Text color="fg.error" textStyle="xs">
          {errors['settings.cron']}
        </Text>
      )}
    </>
  )
}

function InputFields({ draft, errors, set }: Props) {
  const problem = errors['settings.input.form']
  return (
    <>
      <Choice
        label={FIELD_LABELS.input}
        value={draft.mode}
        options={[
          ['none', 'No input'],
          ['text', FIELD_LABELS.text],
          ['form', 'Form'],
        ]}
        onChange={(mode) => set({ mode })}
      />
      {draft.mode === 'text' && (
        <Field label={FIELD_LABELS.text} error={errors['settings.input.text']}>
          <Textarea rows={3} value={draft.text} onChange={(event) => set({ text: event.target.value })} />
        </Field>
      )}
      {draft.mode === 'form' && (
        <ChakraField.Root invalid={problem !== undefined}>
          <ChakraField.Label htmlFor="trigger-form">{FIELD_LABELS.form}</ChakraField.Label>
          <Box w="full">
            <CodeInput
              id="trigger-form"
              param={{ label: FIELD_LABELS.form, name: 'form', type: 'json' }}
              value={draft.form}
              onChange={(form) => set({ form: String(form) })}
              onDone={() => {}}
              scope={{ params: [], inputs: {} }}
            />
          </Box>
          <ChakraField.ErrorText>{problem}</ChakraField.ErrorText>
        </ChakraField.Root>
      )}
    </>
  )
}

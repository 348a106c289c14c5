import { Box, Field as ChakraField, Skeleton, Text, Textarea } from '@chakra-ui/react'
import { lazy, Suspense } from 'react'
import { CodeInput } from '../../../inputs/CodeInput.tsx'
import { MonthDayButtons, WeekdayButtons } from '../../../inputs/schedule/DayButtons.tsx'
import { ZoneSelect } from '../../../inputs/schedule/ZoneSelect.tsx'
import { ownZone } from '../../../inputs/trigger/clock.ts'
import { Field } from '../../../ui/Form.tsx'
import { cronOf, type ScheduleDraft, timingOf } from './draft.ts'
import { Choice, type FieldsProps, More, Pair, TextField } from './fields.tsx'

const NextRuns = lazy(() => import('../../../inputs/trigger/NextRuns.tsx'))

type Props = FieldsProps<ScheduleDraft>

/** When a schedule runs, with its next runs while that is chosen, and what it asks the flow. */
export function ScheduleFields(props: Props) {
  const { draft, errors, set } = props
  const found = cronOf(draft)
  return (
    <>
      <Choice
        label="Set it by"
        value={draft.by}
        options={[
          ['picker', 'Choosing days and times'],
          ['cron', 'A cron expression'],
        ]}
        // What was picked goes on as an expression.
        onChange={(by) => set({ by, ...(by === 'cron' && 'cron' in found && { cron: found.cron }) })}
      />
      {draft.by === 'cron' ? (
        <TextField
          label="Cron expression"
          mono
          help="Minute, hour, day of the month, month, weekday. Names, ranges (1-5), lists (1,3), steps (*/15), L for the last day. When both days are given, either is enough."
          error={errors['settings.cron']}
          value={draft.cron}
          onChange={(cron) => set({ cron })}
        />
      ) : (
        <PickerFields {...props} />
      )}
      <Pair>
        <Field label="Time zone" error={errors['settings.timezone']}>
          <ZoneSelect value={draft.timezone} own={ownZone()} onChange={(timezone) => set({ timezone })} />
        </Field>
        <TextField
          label="Last day (optional)"
          type="date"
          error={errors['settings.endDate']}
          value={draft.endDate}
          onChange={(endDate) => set({ endDate })}
        />
      </Pair>
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
      <More
        title="Overlap, missed runs, jitter"
        says={`${OVERLAP_WORDS[draft.overlap]}; ${MISSED_WORDS[draft.missed]}`}
        isWrong={'settings.jitterSeconds' in errors}
      >
        <Choice
          label="If the run before still goes on"
          value={draft.overlap}
          options={[
            ['skip', 'Skip this run'],
            ['queue', 'Wait for it, then run'],
            ['together', 'Run both together'],
          ]}
          onChange={(overlap) => set({ overlap })}
        />
        <Choice
          label="Runs that were missed while Heddle was down"
          value={draft.missed}
          options={[
            ['skip', 'Skip them, and say so in the list'],
            ['runOnce', 'Run once for all of them'],
          ]}
          onChange={(missed) => set({ missed })}
        />
        <TextField
          label="Start up to so many seconds late"
          help="Spreads many schedules of the same minute. 0: exactly on time."
          type="number"
          error={errors['settings.jitterSeconds']}
          value={draft.jitterSeconds}
          onChange={(jitterSeconds) => set({ jitterSeconds })}
        />
      </More>
    </>
  )
}

const OVERLAP_WORDS = { skip: 'one run at a time', queue: 'one after the other', together: 'runs may overlap' }
const MISSED_WORDS = { skip: 'missed runs are skipped', runOnce: 'missed runs are made up for once' }

function PickerFields({ draft, errors, set }: Props) {
  return (
    <>
      <Pair>
        <Choice
          label="How often"
          value={draft.frequency}
          options={[
            ['hourly', 'Every hour'],
            ['daily', 'Every day'],
            ['weekly', 'On days of the week'],
            ['monthly', 'On days of the month'],
          ]}
          onChange={(frequency) => set({ frequency })}
        />
        {draft.frequency === 'hourly' ? (
          <TextField label="At minute" type="number" value={draft.minute} onChange={(minute) => set({ minute })} />
        ) : (
          <TextField label="At" type="time" value={draft.time} onChange={(time) => set({ time })} />
        )}
      </Pair>
      {draft.frequency === 'weekly' && (
        <WeekdayButtons label="Days of the week" days={draft.weekdays} onChange={(weekdays) => set({ weekdays })} />
      )}
      {draft.frequency === 'monthly' && (
        <MonthDayButtons label="Days of the month" days={draft.days} onChange={(days) => set({ days })} />
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
        label="What the flow gets"
        value={draft.mode}
        options={[
          ['none', 'Nothing: it only starts'],
          ['text', 'A message'],
          ['form', 'A filled-in form'],
        ]}
        onChange={(mode) => set({ mode })}
      />
      {draft.mode === 'text' && (
        <Field label="Message" error={errors['settings.input.text']}>
          <Textarea rows={3} value={draft.text} onChange={(event) => set({ text: event.target.value })} />
        </Field>
      )}
      {draft.mode === 'form' && (
        <ChakraField.Root invalid={problem !== undefined}>
          <ChakraField.Label htmlFor="trigger-form">Values of the form</ChakraField.Label>
          <Box w="full">
            <CodeInput
              id="trigger-form"
              param={{ label: 'Values of the form', name: 'form', type: 'json' }}
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

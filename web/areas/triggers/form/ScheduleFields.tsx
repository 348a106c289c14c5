import { Box, Field as ChakraField, Textarea } from '@chakra-ui/react'
import { FIELD_LABELS, MISSED_LABELS, OVERLAP_LABELS } from '#contract/triggers/labels.ts'
import { CodeInput } from '../../../inputs/CodeInput.tsx'
import { TimingFields } from '../../../inputs/schedule/TimingFields.tsx'
import { Field } from '../../../ui/forms/Form.tsx'
import { AdvancedSection, Choice, choicesOf, type FieldsProps, TextField } from '../../../ui/forms/fields.tsx'
import type { ScheduleDraft } from './draft.ts'

type Props = FieldsProps<ScheduleDraft>

/** The timing of a schedule with a preview of its next runs, and the flow's input. */
export function ScheduleFields(props: Props) {
  const { draft, errors, set } = props
  return (
    <>
      <TimingFields
        draft={draft}
        errors={{
          cron: errors['settings.cron'],
          timezone: errors['settings.timezone'],
          endDate: errors['settings.endDate'],
        }}
        set={set}
      />
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

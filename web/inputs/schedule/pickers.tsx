/** Controls for times, weekdays, days of the month and dates. */
import { Input, Stack, Text } from '@chakra-ui/react'
import { asText, type InputProps } from '../types.ts'
import { MonthDayButtons, WeekdayButtons } from './DayButtons.tsx'
import { monthDaysOf, weekdaysOf } from './days.ts'

/** A time such as `09:30`. */
export function TimeInput({ id, value, onChange, onDone }: InputProps) {
  const text = asText(value)
  return (
    <Input
      id={id}
      size="sm"
      type="time"
      value={text === '' ? '' : text.padStart(5, '0')}
      onChange={(event) => onChange(event.target.value)}
      onBlur={onDone}
    />
  )
}

/** Weekdays, stored as `1,3` for Monday and Wednesday. */
export function WeekdaysInput({ id, param, value, onChange }: InputProps) {
  return (
    <WeekdayButtons id={id} label={param.label} days={weekdaysOf(value)} onChange={(days) => onChange(days.join())} />
  )
}

/** Days of the month, stored as `1,15,L`. */
export function MonthDaysInput({ id, param, value, onChange }: InputProps) {
  return (
    <MonthDayButtons id={id} label={param.label} days={monthDaysOf(value)} onChange={(days) => onChange(days.join())} />
  )
}

/** A date, inclusive. A stored time is shown until another date is chosen. */
export function DateInput({ id, value, onChange, onDone }: InputProps) {
  const text = asText(value)
  const time = /T(\d{2}:\d{2})/.exec(text)?.[1]
  return (
    <Stack gap="1">
      <Input
        id={id}
        size="sm"
        type="date"
        value={text.slice(0, 10)}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onDone}
      />
      {time && (
        <Text fontSize="xs" color="fg.muted">
          Ends at {time} {text.endsWith('Z') ? 'UTC' : ''} that day. Choose a date again to include the whole day.
        </Text>
      )}
    </Stack>
  )
}

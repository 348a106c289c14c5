/** The controls of the clock's types: a time, days of the week and of the month, a date. */
import { Input, Stack, Text } from '@chakra-ui/react'
import { asText, type InputProps } from '../types.ts'
import { MonthDayButtons, WeekdayButtons } from './DayButtons.tsx'
import { monthDaysOf, weekdaysOf } from './days.ts'

/** `09:30` */
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

/** Kept as `1,3`: Monday and Wednesday. */
export function WeekdaysInput({ id, param, value, onChange }: InputProps) {
  return (
    <WeekdayButtons id={id} label={param.label} days={weekdaysOf(value)} onChange={(days) => onChange(days.join())} />
  )
}

/** Kept as `1,15,L`. */
export function MonthDaysInput({ id, param, value, onChange }: InputProps) {
  return (
    <MonthDayButtons id={id} label={param.label} days={monthDaysOf(value)} onChange={(days) => onChange(days.join())} />
  )
}

/** A day, up to its end; one that is kept with a time tells it until another day is chosen. */
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
          At {time} {text.endsWith('Z') ? 'UTC' : ''} of that day. Choose a day to go on up to its end.
        </Text>
      )}
    </Stack>
  )
}

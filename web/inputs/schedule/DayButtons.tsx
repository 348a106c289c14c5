import { Button, Flex, SimpleGrid } from '@chakra-ui/react'
import { MONTH_DAYS, type MonthDay, toggled, WEEKDAYS } from './days.ts'

interface DaysProps<Day> {
  id?: string
  label: string
  days: readonly Day[]
  onChange: (days: Day[]) => void
}

/** Toggle buttons for the days of the week. */
export function WeekdayButtons({ id, label, days, onChange }: DaysProps<number>) {
  return (
    <Flex id={id} role="group" aria-label={label} gap="1" wrap="wrap">
      {WEEKDAYS.map(([day, short, name]) => (
        <DayButton key={day} name={name} isOn={days.includes(day)} onToggle={() => onChange(toggled(days, day))}>
          {short}
        </DayButton>
      ))}
    </Flex>
  )
}

/** Toggle buttons for the days of the month, including the last day. */
export function MonthDayButtons({ id, label, days, onChange }: DaysProps<MonthDay>) {
  return (
    <SimpleGrid id={id} role="group" aria-label={label} columns={7} gap="1" maxW="sm">
      {MONTH_DAYS.map((day) => (
        <DayButton
          key={day}
          name={day === 'L' ? 'Last day of the month' : `Day ${day}`}
          isOn={days.includes(day)}
          isWide={day === 'L'}
          onToggle={() => onChange(toggled(days, day))}
        >
          {day === 'L' ? 'Last day' : day}
        </DayButton>
      ))}
    </SimpleGrid>
  )
}

interface DayButtonProps {
  name: string
  isOn: boolean
  isWide?: boolean
  onToggle: () => void
  children: string | number
}

function DayButton({ name, isOn, isWide = false, onToggle, children }: DayButtonProps) {
  return (
    <Button
      size="xs"
      minW="8"
      px="2"
      gridColumn={isWide ? 'span 3' : undefined}
      variant={isOn ? 'solid' : 'outline'}
      colorPalette={isOn ? 'accent' : 'gray'}
      aria-label={name}
      aria-pressed={isOn}
      onClick={onToggle}
    >
      {children}
    </Button>
  )
}

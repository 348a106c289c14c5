import { Box, Stack, Text } from '@chakra-ui/react'
import { useEffect, useState } from 'react'
import { describeSchedule } from '#contract/triggers/describe.ts'
import { checkSchedule, nextRuns, type Timing } from '#contract/triggers/schedule.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { clockNote, ownZone } from './clock.ts'

const COUNT = 5

/** Describes a schedule and lists its next runs with daylight-saving notes, or shows its error. */
export default function NextRuns({ timing }: { timing: Timing }) {
  const now = useNow()
  const problem = checkSchedule(timing)
  return (
    <Box role="status" aria-label="Next runs" aria-live="polite" textStyle="sm">
      {problem ? <Text color="fg.error">{problem.message}</Text> : <Runs timing={timing} now={now} />}
    </Box>
  )
}

function Runs({ timing, now }: { timing: Timing; now: Date }) {
  const runs = nextRuns(timing, now, COUNT)
  const { timezone } = timing
  const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short', timeZone: timezone })
  const weekday = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: timezone })
  return (
    <Stack gap="2">
      <Text fontWeight="medium">{describeSchedule(timing)}</Text>
      {runs.length === 0 && (
        <Text color="fg.warning">No runs left before the end date. Set a later date or remove it.</Text>
      )}
      <Stack as="ol" listStyleType="none" gap="1">
        {runs.map((run) => (
          <RunLine
            key={run.getTime()}
            date={`${weekday.format(run)}, ${exact.format(run)}`}
            run={run}
            note={clockNote(timing, run, runs)}
          />
        ))}
      </Stack>
      {runs.length > 0 && timezone !== ownZone() && (
        <Text color="fg.muted" textStyle="xs">
          Times are in {timezone}. Your time zone is {ownZone()}.
        </Text>
      )}
    </Stack>
  )
}

function RunLine({ date, run, note }: { date: string; run: Date; note: string | undefined }) {
  return (
    <Box as="li">
      <Text>
        {date}{' '}
        <Text as="span" color="fg.muted">
          <RelativeTime date={run.toISOString()} ahead />
        </Text>
      </Text>
      {note && (
        <Text color="fg.warning" textStyle="xs">
          {note}
        </Text>
      )}
    </Box>
  )
}

/** Returns the current time, updated every 30 seconds. */
function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

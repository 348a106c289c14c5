import { useEffect, useState } from 'react'
import { relativeTime } from './relative-time.ts'

const exactIn = (timeZone?: string) =>
  new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium', timeZone })
const exact = exactIn()

interface Props {
  /** ISO text. */
  date: string
  /** The exact time is told as this zone has it; it is the person's own unless told. */
  timeZone?: string
  /** It is to come: `in 2 days`. Else a date that is ahead of this clock is `just now`. */
  ahead?: boolean
}

/** `3 hours ago`, with the exact time on hover. */
export function RelativeTime({ date, timeZone, ahead = false }: Props) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), ahead ? 15_000 : 60_000)
    return () => clearInterval(timer)
  }, [ahead])
  const at = new Date(date)
  const title = timeZone ? `${exactIn(timeZone).format(at)} (${timeZone})` : exact.format(at)
  return (
    <time dateTime={date} title={title}>
      {relativeTime(at.getTime(), ahead ? now : Math.max(now, at.getTime()))}
    </time>
  )
}

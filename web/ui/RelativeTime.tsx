import { useEffect, useState } from 'react'
import { relativeTime } from './relative-time.ts'

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' })

/** `3 hours ago`, with the exact time in the person's zone on hover. `date` is ISO text. */
export function RelativeTime({ date }: { date: string }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000)
    return () => clearInterval(timer)
  }, [])
  const at = new Date(date)
  return (
    <time dateTime={date} title={exact.format(at)}>
      {relativeTime(at.getTime(), Math.max(now, at.getTime()))}
    </time>
  )
}

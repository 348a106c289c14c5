import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Pixels from the end that still count as the end: a zoomed page rounds. */
const NEAR = 32

interface Content {
  /** Another one shows the end again. */
  last: unknown
  /** Differs whenever the content may have grown. */
  size: unknown
}

/** Keeps a scrolling element at its end while its content grows, until a person scrolls up. */
export function useStickToEnd(element: RefObject<HTMLElement | null>, { last, size }: Content) {
  const [follows, setFollows] = useState(true)
  const following = useRef(true)
  const showEnd = () => element.current?.scrollTo({ top: element.current.scrollHeight })

  useEffect(() => {
    const log = element.current
    if (!log) return
    let before = log.scrollTop
    const onScroll = () => {
      const isNear = log.scrollHeight - log.scrollTop - log.clientHeight <= NEAR
      // Content that grew below is no scrolling.
      if (isNear || log.scrollTop < before) following.current = isNear
      before = log.scrollTop
      setFollows(following.current)
    }
    log.addEventListener('scroll', onScroll, { passive: true })
    return () => log.removeEventListener('scroll', onScroll)
  }, [element])

  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the content grew
  useLayoutEffect(() => {
    if (following.current) showEnd()
  }, [size])

  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another part is the last one
  useLayoutEffect(() => {
    showEnd()
  }, [last])

  return { follows, showEnd }
}

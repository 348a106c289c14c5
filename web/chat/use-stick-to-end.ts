import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Distance from the end in pixels that still counts as the end, since zoomed pages round. */
const END_TOLERANCE_PX = 32

interface Content {
  /** A change scrolls to the end. */
  last: unknown
  /** Changes whenever the content may have grown. */
  size: unknown
}

/** Keeps an element scrolled to the end while its content grows, until the user scrolls up. */
export function useStickToEnd(element: RefObject<HTMLElement | null>, { last, size }: Content) {
  const [isFollowing, setFollows] = useState(true)
  const following = useRef(true)
  const showEnd = () => element.current?.scrollTo({ top: element.current.scrollHeight })

  useEffect(() => {
    const log = element.current
    if (!log) return
    let before = log.scrollTop
    const onScroll = () => {
      const isNear = log.scrollHeight - log.scrollTop - log.clientHeight <= END_TOLERANCE_PX
      // Growing content fires scroll events too.
      if (isNear || log.scrollTop < before) following.current = isNear
      before = log.scrollTop
      setFollows(following.current)
    }
    log.addEventListener('scroll', onScroll, { passive: true })
    return () => log.removeEventListener('scroll', onScroll)
  }, [element])

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the content grows
  useLayoutEffect(() => {
    if (following.current) showEnd()
  }, [size])

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the last item changes
  useLayoutEffect(() => {
    showEnd()
  }, [last])

  return { isFollowing, showEnd }
}

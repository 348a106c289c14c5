import { useEffect, useRef, useState } from 'react'
import type { LoaderPreview, PreviewLoader } from '#contract/document-stores/loaders.ts'
import { errorMessage } from '#contract/errors.ts'
import { previewLoader } from '../api.ts'

/** Milliseconds without a change before a preview starts by itself. */
const TYPING = 600

export interface Preview {
  /** The newest that was read; stays while the next one is. */
  shown: LoaderPreview | undefined
  /** The inputs have changed since. */
  isOld: boolean
  isBusy: boolean
  error: string | undefined
  run(): void
  cancel(): void
}

/**
 * Reads and splits what a loader would.
 * @param request undefined while inputs are missing
 * @param isLive starts by itself when the request changes
 */
export function usePreview(request: PreviewLoader | undefined, isLive: boolean): Preview {
  const [state, setState] = useState<{ shown?: LoaderPreview; of?: string; error?: string; busy?: boolean }>({})
  const running = useRef<AbortController>(undefined)
  const key = request && JSON.stringify(request)

  const cancel = () => {
    running.current?.abort()
    setState(({ busy: _, ...now }) => now)
  }
  const run = () => {
    if (!request || !key) return
    running.current?.abort()
    const abort = new AbortController()
    running.current = abort
    setState(({ error: _, ...now }) => ({ ...now, busy: true }))
    previewLoader(request, abort.signal).then(
      (shown) => !abort.signal.aborted && setState({ shown, of: key }),
      (error: unknown) =>
        !abort.signal.aborted && setState(({ busy: _, ...now }) => ({ ...now, of: key, error: errorMessage(error) })),
    )
  }
  useEffect(() => () => running.current?.abort(), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text of the request tells whether it changed
  useEffect(() => {
    if (!isLive || !key) return
    const timer = setTimeout(run, TYPING)
    return () => clearTimeout(timer)
  }, [isLive, key])

  const { shown, of, error, busy = false } = state
  return { shown, isOld: shown !== undefined && of !== key, isBusy: busy, error, run, cancel }
}

import { VisuallyHidden } from '@chakra-ui/react'
import { useSnapshot } from 'valtio'
import { useCanvas } from '../store/context.ts'

/** Announces changes to screen readers. */
export function LiveRegion() {
  const { announcement } = useSnapshot(useCanvas().state)
  return (
    <VisuallyHidden role="status" aria-live="polite">
      <span key={announcement.count}>{announcement.text}</span>
    </VisuallyHidden>
  )
}

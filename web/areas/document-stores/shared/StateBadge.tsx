import { Badge, Spinner } from '@chakra-ui/react'
import type { StateWords } from './state-words.ts'

/** A state in words; turning while work is done. */
export function StateBadge({ words: { label, tone } }: { words: StateWords }) {
  return (
    <Badge colorPalette={tone} flexShrink="0">
      {tone === 'accent' && <Spinner size="xs" boxSize="2.5" borderWidth="1.5px" aria-hidden />}
      {label}
    </Badge>
  )
}

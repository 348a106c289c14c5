import type { ReactNode } from 'react'
import TextDiff from '../../ui/TextDiff.tsx'
import { RunBadge } from './RunBadge.tsx'

interface OutputDiffProps {
  /** Undefined when the run has no such step. */
  a: string | undefined
  b: string | undefined
  /** The header of each side. */
  children: (side: 'a' | 'b') => ReactNode
}

/** Two outputs side by side with their differences marked. */
export default function OutputDiff({ a, b, children }: OutputDiffProps) {
  const sideOf = (side: 'a' | 'b', mark: 'A' | 'B', text: string | undefined) => ({
    text,
    label: `Output in ${mark}`,
    header: (
      <>
        <RunBadge mark={mark} />
        {children(side)}
      </>
    ),
  })
  return <TextDiff before={sideOf('a', 'A', a)} after={sideOf('b', 'B', b)} emptyText="No output." />
}

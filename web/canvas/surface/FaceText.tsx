import { useMemo } from 'react'
import { chipParts } from '#contract/flow/references/reference-names.ts'
import { useCanvas } from '../store/context.ts'
import { useCanvasValue } from '../store/hooks.ts'
import { nodeNames } from './node-labels.ts'

/** A text on a node, with its references as chips. */
export const FaceText = ({ text }: { text: string }) => (text.includes('{{') ? <TextWithChips text={text} /> : text)

function TextWithChips({ text }: { text: string }) {
  const names = useCanvasValue(useCanvas(), ({ flow }) => nodeNames(flow))
  const parts = useMemo(() => chipParts(text, names), [text, names])
  return parts.map((part, index) =>
    typeof part === 'string' ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no id
      <span key={index} className="heddle-chip" data-gone={part.gone || undefined}>
        {part.name}
        {part.gone && ' (missing)'}
      </span>
    ),
  )
}

import { type ChipPart, chipParts } from '#contract/flow/references/reference-names.ts'
import { useCanvas } from '../store/context.ts'
import { useCanvasValue } from '../store/hooks.ts'
import { nodeNames } from './node-labels.ts'

/** A text on a node, with its references as chips. */
export const FaceText = ({ text }: { text: string }) => (text.includes('{{') ? <TextWithChips text={text} /> : text)

function TextWithChips({ text }: { text: string }) {
  // As text, so that it renders again only when a name changes.
  const parts = useCanvasValue(useCanvas(), ({ flow }) => JSON.stringify(chipParts(text, nodeNames(flow))))
  return (JSON.parse(parts) as ChipPart[]).map((part, index) =>
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

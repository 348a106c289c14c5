import { Box, chakra, Flex, Heading, Stack, Text } from '@chakra-ui/react'
import { useMemo } from 'react'
import type { LoaderPreview } from '#contract/document-stores/loaders.ts'
import { markChunks } from './chunk-marks.ts'

interface Props {
  preview: LoaderPreview
  /** Index of the chunk that is chosen. */
  chosen: number | undefined
  onChoose(chunk: number): void
}

/** The texts from which the chunks were cut, with their borders and overlaps. */
export function MarkedText({ preview: { documents, chunks }, chosen, onChoose }: Props) {
  return (
    <Stack gap="5">
      <Legend />
      {documents.map(({ name, text, isCut }, index) => {
        const own = [...chunks.keys()].filter((at) => chunks[at]?.document === index)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two pages of a file have one name
          <Box key={index}>
            <Heading as="h3" size="xs" color="fg.muted" mb="2" overflowWrap="anywhere">
              {name}
            </Heading>
            <Document text={text} own={own} chunks={chunks} chosen={chosen} onChoose={onChoose} />
            {isCut && (
              <Text textStyle="sm" color="fg.muted" mt="2">
                The preview shows only the beginning of the text.
              </Text>
            )}
          </Box>
        )
      })}
    </Stack>
  )
}

interface DocumentProps extends Omit<Props, 'preview'> {
  text: string
  chunks: LoaderPreview['chunks']
  /** Indices of the chunks of this text. */
  own: number[]
}

function Document({ text, chunks, own, chosen, onChoose }: DocumentProps) {
  const parts = useMemo(
    () =>
      markChunks(
        text,
        own.map((at) => ({ start: chunks[at]?.start ?? 0, end: chunks[at]?.end ?? 0 })),
      ),
    [text, own, chunks],
  )
  return (
    <Box whiteSpace="pre-wrap" overflowWrap="anywhere" textStyle="sm" fontFamily="mono">
      {parts.map((part) => {
        const inChunks = part.chunks.map((each) => own[each] ?? 0)
        return (
          <chakra.span key={part.start}>
            {part.begins.map((each) => (
              <Border key={each} chunk={own[each] ?? 0} isChosen={own[each] === chosen} onChoose={onChoose} />
            ))}
            <chakra.mark {...toneOf(inChunks)} {...(inChunks.includes(chosen ?? -1) && CHOSEN_STYLE)}>
              {part.text}
            </chakra.mark>
          </chakra.span>
        )
      })}
    </Box>
  )
}

const CHOSEN_STYLE = {
  textDecoration: 'underline',
  textDecorationColor: 'accent.solid',
  textUnderlineOffset: '3px',
} as const

/** Neighbours differ, and what stands in several chunks is striped in a colour of its own. */
function toneOf(chunks: readonly number[]) {
  const [chunk] = chunks
  if (chunk === undefined) return { bg: 'transparent', color: 'fg.muted' }
  if (chunks.length > 1) return OVERLAP
  return { bg: chunk % 2 === 0 ? 'accent.subtle' : 'success.subtle', color: 'fg' }
}

const OVERLAP = { bg: 'warning.subtle', color: 'fg', borderBottomWidth: '2px', borderColor: 'warning.solid' } as const

function Border({ chunk, isChosen, onChoose }: { chunk: number; isChosen: boolean; onChoose(chunk: number): void }) {
  return (
    <chakra.button
      type="button"
      id={`chunk-border-${chunk}`}
      aria-label={`Chunk ${chunk + 1} begins`}
      aria-pressed={isChosen}
      px="1.5"
      mx="1"
      minW="6"
      minH="6"
      borderRadius="l1"
      borderWidth="1px"
      bg={isChosen ? 'accent.solid' : 'bg.panel'}
      color={isChosen ? 'accent.contrast' : 'fg.muted'}
      fontSize="xs"
      fontFamily="body"
      onClick={() => onChoose(chunk)}
    >
      {chunk + 1}
    </chakra.button>
  )
}

function Legend() {
  return (
    <Flex gap="4" wrap="wrap" textStyle="xs" color="fg.muted">
      <span>
        <chakra.mark {...toneOf([0])} px="1">
          Chunk
        </chakra.mark>{' '}
        <chakra.mark {...toneOf([1])} px="1">
          next chunk
        </chakra.mark>
      </span>
      <chakra.mark {...OVERLAP} px="1">
        Overlap: in both
      </chakra.mark>
      <span>Numbers mark where chunks start.</span>
    </Flex>
  )
}

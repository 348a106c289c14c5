import { Box, chakra, Flex, SimpleGrid, Text } from '@chakra-ui/react'
import { type Change, diffLines, diffWordsWithSpace } from 'diff'
import { type ReactNode, useMemo } from 'react'

interface DiffSide {
  /** Undefined when this side has no text of its own: then only its header is shown. */
  text: string | undefined
  /** Names the text for screen readers. */
  label: string
  header: ReactNode
}

/** Longer texts are compared by line, since a diff by word would block the page. */
const WORD_DIFF_LIMIT = 20_000

/** Two texts side by side with their differences marked. Load it lazily: it brings the comparison along. */
export default function TextDiff({
  before,
  after,
  emptyText,
}: {
  before: DiffSide
  after: DiffSide
  emptyText: string
}) {
  const changes = useMemo(() => changesOf(before.text ?? '', after.text ?? ''), [before.text, after.text])
  return (
    <SimpleGrid columns={{ base: 1, md: 2 }} gap="3">
      <DiffColumn {...before} emptyText={emptyText} changes={changes.filter(({ added }) => !added)} />
      <DiffColumn {...after} emptyText={emptyText} changes={changes.filter(({ removed }) => !removed)} />
    </SimpleGrid>
  )
}

const changesOf = (a: string, b: string): Change[] =>
  a.length + b.length <= WORD_DIFF_LIMIT ? diffWordsWithSpace(a, b) : diffLines(a, b)

function DiffColumn({ text, label, header, emptyText, changes }: DiffSide & { emptyText: string; changes: Change[] }) {
  return (
    <Box minW="0">
      <Flex gap="2" align="center" mb="2">
        {header}
      </Flex>
      {text === '' && <Text color="fg.muted">{emptyText}</Text>}
      {text && (
        <chakra.pre
          tabIndex={0}
          aria-label={label}
          p="3"
          fontSize="sm"
          fontFamily="inherit"
          bg="bg.subtle"
          borderRadius="lg"
          maxH="32rem"
          overflow="auto"
          whiteSpace="pre-wrap"
          overflowWrap="anywhere"
        >
          {changes.map(({ added, removed, value }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no id
            <Part key={index} added={added} removed={removed} text={value} />
          ))}
        </chakra.pre>
      )}
    </Box>
  )
}

function Part({ added, removed, text }: { added: boolean; removed: boolean; text: string }) {
  if (added) {
    return (
      <chakra.ins bg="success.subtle" color="success.fg" textDecoration="underline" textUnderlineOffset="3px">
        {text}
      </chakra.ins>
    )
  }
  return removed ? (
    <chakra.del bg="danger.subtle" color="danger.fg" textDecorationThickness="1px">
      {text}
    </chakra.del>
  ) : (
    text
  )
}

import { Box, chakra, Flex, SimpleGrid, Text } from '@chakra-ui/react'
import { type Change, diffLines, diffWordsWithSpace } from 'diff'
import { type ReactNode, useMemo } from 'react'
import { RunBadge } from './RunBadge.tsx'

interface OutputDiffProps {
  /** Undefined when the run has no such step. */
  a: string | undefined
  b: string | undefined
  /** The header of each side. */
  children: (side: 'a' | 'b') => ReactNode
}

/** Longer texts are compared by line, since a diff by word would block the page. */
const WORD_DIFF_LIMIT = 20_000

/** Two outputs side by side with their differences marked. */
export default function OutputDiff({ a, b, children }: OutputDiffProps) {
  const changes = useMemo(() => changesOf(a ?? '', b ?? ''), [a, b])
  return (
    <SimpleGrid columns={{ base: 1, md: 2 }} gap="3">
      <Side mark="A" text={a} changes={changes.filter(({ added }) => !added)}>
        {children('a')}
      </Side>
      <Side mark="B" text={b} changes={changes.filter(({ removed }) => !removed)}>
        {children('b')}
      </Side>
    </SimpleGrid>
  )
}

const changesOf = (a: string, b: string): Change[] =>
  a.length + b.length <= WORD_DIFF_LIMIT ? diffWordsWithSpace(a, b) : diffLines(a, b)

interface SideProps {
  mark: 'A' | 'B'
  text: string | undefined
  changes: Change[]
  children: ReactNode
}

function Side({ mark, text, changes, children }: SideProps) {
  return (
    <Box minW="0">
      <Flex gap="2" align="center" mb="2">
        <RunBadge mark={mark} />
        {children}
      </Flex>
      {text === '' && <Text color="fg.muted">No output.</Text>}
      {text && (
        <chakra.pre
          tabIndex={0}
          aria-label={`Output in ${mark}`}
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

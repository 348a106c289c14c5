import { Box, Button, chakra, Flex, Stack, Text } from '@chakra-ui/react'
import type { LoaderPreview, PreviewChunk } from '#contract/document-stores/loaders.ts'
import { Collapsible } from '../../../ui/Collapsible.tsx'
import { withCount } from '../shared/with-count.ts'

interface Props {
  preview: LoaderPreview
  /** Shows where a chunk stands in its text. */
  onShow(chunk: number): void
}

/** The chunks of a preview, as a search would find them. */
export function ChunkCards({ preview: { chunks }, onShow }: Props) {
  return (
    <Stack as="ol" gap="3" listStyleType="none">
      {chunks.map((chunk, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: chunks have no id before they are kept, and two may be alike
        <li key={index}>
          <Card chunk={chunk} number={index + 1} onShow={() => onShow(index)} />
        </li>
      ))}
    </Stack>
  )
}

function Card({ chunk, number, onShow }: { chunk: PreviewChunk; number: number; onShow(): void }) {
  const { pageContent, metadata, tokens } = chunk
  return (
    <Box borderWidth="1px" borderRadius="l3" p="3" bg="bg.panel">
      <Flex justify="space-between" align="center" gap="3" mb="1">
        <Text textStyle="xs" color="fg.muted">
          Chunk {number} · {withCount(tokens, 'token')} · {withCount(pageContent.length, 'character')}
        </Text>
        <Button size="2xs" variant="ghost" aria-label={`Show chunk ${number} in the text`} onClick={onShow}>
          Show in text
        </Button>
      </Flex>
      <Text textStyle="sm" whiteSpace="pre-wrap" overflowWrap="anywhere" maxH="60" overflowY="auto" tabIndex={0}>
        {pageContent}
      </Text>
      {Object.keys(metadata).length > 0 && (
        <Box mt="2">
          <Collapsible title="Metadata">
            <chakra.pre textStyle="xs" whiteSpace="pre-wrap" overflowWrap="anywhere">
              {JSON.stringify(metadata, null, 2)}
            </chakra.pre>
          </Collapsible>
        </Box>
      )}
    </Box>
  )
}

import { Box, Button, Flex, Heading, Skeleton, Text } from '@chakra-ui/react'
import { lazy, Suspense, useState } from 'react'
import type { DocumentChunk } from '#contract/document-stores/chunks.ts'
import { notify } from '../../../state/notify.ts'
import { updateChunk } from '../api.ts'
import { attempt } from '../shared/actions.ts'

const TextDiff = lazy(() => import('../../../ui/TextDiff.tsx'))

interface Props {
  chunk: DocumentChunk
  /** The source's new text. */
  proposed: string
  mayDecide: boolean
  onDecided(): void
}

/** An edit beside the new text of its source, and the decision between them. */
export function ChunkConflict({ chunk, proposed, mayDecide, onDecided }: Props) {
  const [deciding, setDeciding] = useState<'edit' | 'source'>()
  const decide = async (resolve: 'edit' | 'source') => {
    setDeciding(resolve)
    const done = await attempt('save the decision', () => updateChunk(chunk, { resolve }))
    if (!done) return setDeciding(undefined)
    notify.success(resolve === 'edit' ? 'Kept your edit' : 'Took the text of the source')
    onDecided()
  }
  const header = (text: string) => (
    <Heading as="h4" size="xs">
      {text}
    </Heading>
  )
  return (
    <Box as="section" aria-label="Changed source" borderWidth="1px" borderColor="warning.muted" borderRadius="l3" p="4">
      <Heading as="h3" size="sm">
        The source has changed under this edit
      </Heading>
      <Text textStyle="sm" color="fg.muted" mb="3">
        Until you decide, searches find your edit.
      </Text>
      <Suspense fallback={<Skeleton h="32" />}>
        <TextDiff
          before={{ text: chunk.pageContent, label: 'Your edit', header: header('Your edit') }}
          after={{ text: proposed, label: 'The source now', header: header('The source now') }}
          emptyText="No text."
        />
      </Suspense>
      {mayDecide && (
        <Flex gap="2" mt="3" wrap="wrap">
          <Button
            size="sm"
            colorPalette="accent"
            loading={deciding === 'edit'}
            disabled={deciding !== undefined}
            onClick={() => decide('edit')}
          >
            Keep my edit
          </Button>
          <Button
            size="sm"
            variant="outline"
            loading={deciding === 'source'}
            disabled={deciding !== undefined}
            onClick={() => decide('source')}
          >
            Take the source
          </Button>
        </Flex>
      )}
    </Box>
  )
}

import { Box, Button, Flex, Heading, NativeSelect, Skeleton, Spinner, Stack, Text } from '@chakra-ui/react'
import { IconEye } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { formatCount } from '#contract/data/format.ts'
import type { LoaderPreview } from '#contract/document-stores/loaders.ts'
import { Notice } from '../../../ui/feedback/Notice.tsx'
import { formatCost } from '../../../ui/format.ts'
import { ChunkCards } from './ChunkCards.tsx'
import { MarkedText } from './MarkedText.tsx'
import type { Preview } from './use-preview.ts'

interface Props {
  preview: Preview
  /** The inputs are complete. */
  isReady: boolean
  /** The store has embeddings, which cost something. */
  embeds: boolean
  count: number
  onCount(count: number): void
}

const COUNTS = [20, 100, -1]

/** Preview of a loader: chunks, their positions in the text, and the cost of embedding them. */
export function PreviewPane({ preview, isReady, embeds, count, onCount }: Props) {
  const titleId = useId()
  const { shown, isBusy, isOld, error, run, cancel } = preview
  return (
    <Stack as="section" aria-labelledby={titleId} gap="4" borderWidth="1px" borderRadius="l3" bg="bg.panel" p="4">
      <Flex gap="2" align="center" justify="space-between" wrap="wrap">
        <Flex gap="2" align="center">
          <Heading as="h2" size="md" id={titleId}>
            Preview
          </Heading>
          {isBusy && <Spinner size="sm" role="status" aria-label="Reading" />}
        </Flex>
        <Flex gap="2" align="center" wrap="wrap">
          <NativeSelect.Root size="sm" w="auto">
            <NativeSelect.Field
              aria-label="Chunks to show"
              value={count}
              onChange={(event) => onCount(Number(event.target.value))}
            >
              {COUNTS.map((each) => (
                <option key={each} value={each}>
                  {each === -1 ? 'All chunks' : `First ${each}`}
                </option>
              ))}
            </NativeSelect.Field>
            <NativeSelect.Indicator />
          </NativeSelect.Root>
          {isBusy ? (
            <Button size="sm" variant="outline" onClick={cancel}>
              Cancel
            </Button>
          ) : (
            <Button
              size="sm"
              variant="outline"
              disabled={!isReady}
              title={isReady ? undefined : 'Fill in the required inputs first'}
              onClick={run}
            >
              <IconEye size={16} aria-hidden />
              {shown ? 'Update' : 'Preview'}
            </Button>
          )}
        </Flex>
      </Flex>
      {error && (
        <Notice kind="danger" overflowWrap="anywhere">
          {error}
        </Notice>
      )}
      {!shown && !error && (isBusy ? <Skeleton h="48" /> : <Text color="fg.muted">{hintOf(isReady)}</Text>)}
      {shown && isOld && !isBusy && !error && (
        <Text textStyle="sm" color="fg.warning" role="status">
          The inputs changed since this preview.
        </Text>
      )}
      {shown && <Result preview={shown} embeds={embeds} />}
    </Stack>
  )
}

interface ResultProps extends Pick<Props, 'embeds'> {
  preview: LoaderPreview
}

const hintOf = (isReady: boolean) =>
  isReady
    ? 'See the chunks before anything is kept or spent.'
    : 'Fill in the inputs to see the chunks before anything is kept or spent.'

function Result({ preview, embeds }: ResultProps) {
  const [view, setView] = useState<'text' | 'chunks'>('text')
  const [chosen, setChosen] = useState<number>()
  const show = (chunk: number) => {
    setView('text')
    setChosen(chunk)
    requestAnimationFrame(() => document.getElementById(`chunk-border-${chunk}`)?.scrollIntoView({ block: 'center' }))
  }
  return (
    <>
      <Totals preview={preview} embeds={embeds} />
      {preview.failed.length > 0 && (
        <Notice kind="warning">
          <Text fontWeight="medium">Not read:</Text>
          <Stack as="ul" gap="1" listStyleType="none">
            {preview.failed.map(({ name, error }) => (
              <Text as="li" key={name} overflowWrap="anywhere">
                {name}: {error}
              </Text>
            ))}
          </Stack>
        </Notice>
      )}
      {preview.chunks.length > 0 && (
        <>
          <Flex role="group" aria-label="View" gap="1">
            {(['text', 'chunks'] as const).map((each) => (
              <Button
                key={each}
                size="sm"
                variant={view === each ? 'subtle' : 'ghost'}
                aria-pressed={view === each}
                onClick={() => setView(each)}
              >
                {each === 'text' ? 'In the text' : 'Chunk by chunk'}
              </Button>
            ))}
          </Flex>
          <Box maxH={{ lg: 'calc(100dvh - 22rem)' }} minH={{ lg: '64' }} overflowY={{ lg: 'auto' }}>
            {view === 'text' ? (
              <MarkedText preview={preview} chosen={chosen} onChoose={setChosen} />
            ) : (
              <ChunkCards preview={preview} onShow={show} />
            )}
          </Box>
        </>
      )}
    </>
  )
}

function Totals({ preview, embeds }: ResultProps) {
  const { chunks, totalChunks, tokens, chars, price, isPartial } = preview
  const figures = [
    [
      'Chunks',
      chunks.length < totalChunks ? `${chunks.length} of ${formatCount(totalChunks)}` : formatCount(totalChunks),
    ],
    ['Tokens', formatCount(tokens)],
    ['Characters', formatCount(chars)],
    ['Embedding cost', embeds ? (price === null ? 'Unknown' : formatCost(price)) : 'Free'],
  ] as const
  return (
    <Box>
      <Flex as="dl" gap="6" rowGap="2" wrap="wrap" aria-label="Totals">
        {figures.map(([label, value]) => (
          <Box key={label}>
            <Text as="dt" textStyle="xs" color="fg.muted">
              {label}
            </Text>
            <Text as="dd" fontWeight="semibold">
              {value}
            </Text>
          </Box>
        ))}
      </Flex>
      {isPartial && (
        <Text textStyle="sm" color="fg.muted" mt="2">
          Only the first pages were read. Processing reads all of them.
        </Text>
      )}
      {totalChunks === 0 && (
        <Text role="status" color="fg.muted" mt="2">
          Nothing to cut into chunks was found. Check the inputs.
        </Text>
      )}
    </Box>
  )
}

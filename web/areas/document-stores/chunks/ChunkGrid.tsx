import { Badge, chakra, Flex, LinkBox, LinkOverlay, SimpleGrid, Text } from '@chakra-ui/react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { formatCount } from '#contract/data/format.ts'
import type { DocumentChunk } from '#contract/document-stores/chunks.ts'
import { cardAfterKey } from './arrow-keys.ts'
import { metadataLine } from './chunk-form.ts'

interface Props {
  chunks: DocumentChunk[]
  onOpen(id: string): void
}

/** Cards of chunks. Arrow keys move between them, Enter opens one. */
export function ChunkGrid({ chunks, onOpen }: Props) {
  const grid = useRef<HTMLDivElement>(null)
  const [reached, setReached] = useState<string>()
  const at = Math.max(
    0,
    chunks.findIndex(({ id }) => id === reached),
  )
  const move = (event: KeyboardEvent) => {
    const cards = [...(grid.current?.querySelectorAll<HTMLElement>('button') ?? [])]
    const next = cardAfterKey(event.key, {
      at,
      count: cards.length,
      columns: columnsOf(cards.map((card) => card.closest<HTMLElement>('[role=listitem]') ?? card)),
    })
    if (next === undefined) return
    event.preventDefault()
    cards[next]?.focus()
  }
  return (
    <SimpleGrid ref={grid} role="list" aria-label="Chunks" columns={{ base: 1, lg: 2 }} gap="3" onKeyDown={move}>
      {chunks.map((chunk, index) => (
        <chakra.div key={chunk.id} role="listitem" minW="0">
          <Card
            chunk={chunk}
            tabIndex={index === at ? 0 : -1}
            onFocus={() => setReached(chunk.id)}
            onOpen={() => onOpen(chunk.id)}
          />
        </chakra.div>
      ))}
    </SimpleGrid>
  )
}

/** Returns how many cards stand in the first row. */
function columnsOf(cards: readonly HTMLElement[]): number {
  const top = cards[0]?.getBoundingClientRect().top
  const below = cards.findIndex((card) => card.getBoundingClientRect().top !== top)
  return below < 1 ? Math.max(1, cards.length) : below
}

interface CardProps {
  chunk: DocumentChunk
  tabIndex: number
  onFocus(): void
  onOpen(): void
}

function Card({ chunk, tabIndex, onFocus, onOpen }: CardProps) {
  const { chunkNo, sourceName, pageContent, tokens, metadata, isEnabled } = chunk
  return (
    <LinkBox
      display="flex"
      flexDirection="column"
      gap="2"
      w="full"
      h="full"
      minH="36"
      p="4"
      borderWidth="1px"
      borderRadius="l3"
      bg="bg.panel"
      _hover={{ borderColor: 'border.emphasized' }}
    >
      <Flex gap="2" align="center" wrap="wrap" w="full" textStyle="xs">
        <LinkOverlay asChild flex="1" minW="0">
          <chakra.button
            type="button"
            tabIndex={tabIndex}
            onFocus={onFocus}
            onClick={onOpen}
            truncate
            textAlign="start"
            color="fg.muted"
            cursor="pointer"
            _before={{ borderRadius: 'l3' }}
            outline="none"
            _focusVisible={{ _before: { outline: '2px solid', outlineColor: 'colorPalette.focusRing' } }}
          >
            <Text as="span" fontWeight="semibold" color="fg">
              Chunk {chunkNo}
            </Text>{' '}
            of {sourceName}
          </chakra.button>
        </LinkOverlay>
        <Marks {...chunk} />
      </Flex>
      <Text
        textStyle="sm"
        lineClamp={4}
        whiteSpace="pre-line"
        overflowWrap="anywhere"
        color={isEnabled ? 'fg' : 'fg.muted'}
      >
        {pageContent}
      </Text>
      <Flex gap="2" mt="auto" textStyle="xs" color="fg.muted" w="full">
        <Text as="span" truncate flex="1" minW="0">
          {metadataLine(metadata)}
        </Text>
        <Text as="span" flexShrink="0">
          {formatCount(tokens)} tokens
        </Text>
      </Flex>
    </LinkBox>
  )
}

/** Badges of a chunk. */
export function Marks({
  isEnabled,
  isEdited,
  proposedContent,
}: Pick<DocumentChunk, 'isEnabled' | 'isEdited' | 'proposedContent'>) {
  return (
    <>
      {proposedContent !== null && <Badge colorPalette="warning">To decide</Badge>}
      {isEdited && <Badge colorPalette="accent">Edited</Badge>}
      {!isEnabled && <Badge>Off</Badge>}
    </>
  )
}

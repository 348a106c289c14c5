import { Box, Heading, Input, Stack, Text } from '@chakra-ui/react'
import { type DragEvent, type KeyboardEvent, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { endCarry } from '../interactions/drag.ts'
import { useCanvas } from '../store/context.ts'
import { DRAGGED } from '../surface/use-gestures.ts'
import { NoNodesFound } from './NoNodesFound.tsx'
import { paletteGroups } from './palette-groups.ts'

export interface PaletteProps {
  /** Adds a node where it fits. */
  onAdd: (definition: ComponentDefinition) => void
  /** Icons only, without the search. */
  isFolded?: boolean
}

/** Node types to drag or click onto the canvas. Enter in the search adds the first match. */
export function Palette({ onAdd, isFolded = false }: PaletteProps) {
  const canvas = useCanvas()
  const { hasCatalogue } = useSnapshot(canvas.state)
  const [typed, setQuery] = useState('')
  const query = isFolded ? '' : typed
  const groups = hasCatalogue ? paletteGroups(canvas.kind.flow.palette, [...canvas.definitions.values()], query) : []
  const found = groups.flatMap(({ definitions }) => definitions)
  const [stop, setStop] = useState('')
  const stopAt = found.find(({ name }) => name === stop) ?? found[0]
  return (
    <Stack as="section" aria-label="Nodes" gap="2" p="3" height="full" minHeight="0">
      {!isFolded && (
        <Input
          id="palette-search"
          size="sm"
          type="search"
          aria-label="Search nodes"
          placeholder="Search nodes"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && found[0]) onAdd(found[0])
          }}
        />
      )}
      <Box
        overflowY="auto"
        flex="1"
        minHeight="0"
        mx="-1"
        px="1"
        onKeyDown={moveFocus}
        onFocus={({ target }) => setStop(target.getAttribute('data-node') ?? '')}
      >
        {groups.map(({ heading, definitions }) => (
          <Box key={heading} mb="3">
            {heading !== null && !isFolded && (
              <Heading as="h2" fontSize="2xs" lineHeight="short" fontWeight="semibold" color="fg.muted" px="2" mb="1">
                {heading}
              </Heading>
            )}
            <Box as="ul" listStyleType="none" aria-label={heading ?? 'Nodes found'}>
              {definitions.map((definition) => (
                <li key={definition.name}>
                  <PaletteItem
                    definition={definition}
                    tabIndex={definition === stopAt ? 0 : -1}
                    onAdd={onAdd}
                    isFolded={isFolded}
                  />
                </li>
              ))}
            </Box>
          </Box>
        ))}
      </Box>
      {found.length === 0 && <NoNodesFound query={query} />}
    </Stack>
  )
}

/** All items are one Tab stop; arrow keys, Home and End move inside it. */
function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('button')]
  const at = items.indexOf(document.activeElement as HTMLElement)
  const places: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }
  const item = items[places[event.key] ?? -1]
  if (!item) return
  event.preventDefault()
  item.focus()
}

interface PaletteItemProps extends PaletteProps {
  definition: ComponentDefinition
  tabIndex: number
}

function PaletteItem({ definition, tabIndex, onAdd, isFolded = false }: PaletteItemProps) {
  const canvas = useCanvas()
  const { NodeIcon } = canvas.kind
  const drag = (event: DragEvent) => {
    event.dataTransfer.setData(DRAGGED, definition.name)
    event.dataTransfer.effectAllowed = 'copy'
    canvas.carried = definition
  }
  return (
    <Box
      as="button"
      tabIndex={tabIndex}
      data-node={definition.name}
      display="flex"
      alignItems="center"
      gap="2.5"
      width="full"
      px={isFolded ? '0.5' : '2'}
      py="1.5"
      rounded="lg"
      textAlign="start"
      cursor="grab"
      _hover={{ bg: 'bg.muted' }}
      draggable
      aria-label={isFolded ? definition.label : undefined}
      title={isFolded ? `${definition.label}: ${definition.description}` : definition.description}
      onDragStart={drag}
      onDragEnd={() => endCarry(canvas)}
      onClick={() => onAdd(definition)}
    >
      <span className="heddle-node-icon" style={{ background: definition.color }}>
        <NodeIcon name={definition.name} />
      </span>
      {!isFolded && (
        <Box minWidth="0">
          <Text fontSize="sm" fontWeight="medium">
            {definition.label}
          </Text>
          <Text fontSize="2xs" color="fg.muted">
            {definition.description}
          </Text>
        </Box>
      )}
    </Box>
  )
}

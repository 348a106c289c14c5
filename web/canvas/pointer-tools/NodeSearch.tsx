import { Box, Button, Flex, Input, Portal, Text } from '@chakra-ui/react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { notify } from '../../state/notify.ts'
import type { Point } from '../geometry/boxes.ts'
import { closeMenu } from '../interactions/menus.ts'
import { NoNodesFound } from '../panels/NoNodesFound.tsx'
import { layOut } from '../store/arrange.ts'
import { useCanvas } from '../store/context.ts'
import { addNodeAt } from '../store/insertions.ts'
import { type Menu, select } from '../store/store.ts'
import { useView } from '../surface/use-view.ts'
import { pasteAt } from './clipboard-access.ts'
import { placeInWindow } from './place-in-window.ts'
import { noteRecentNode, recentNodes } from './recent-nodes.ts'
import { type Offer, offerAt } from './search-results.ts'

const NONE: Offer = { groups: [], refused: [] }
const SIZE = { width: 304, height: 380 }

/** Search and choose a node for one place of the canvas. Enter takes the marked one, Escape leaves. */
export function NodeSearch({ menu }: { menu: Extract<Menu, { what: 'search' }> }) {
  const canvas = useCanvas()
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  const id = useId()
  const recent = useMemo(recentNodes, [])
  const { hasCatalogue } = useSnapshot(canvas.state)
  const offer = hasCatalogue ? offerAt(canvas, menu.spot, { query, recent }) : NONE
  const found = offer.groups.flatMap(({ definitions }) => definitions)
  const marked = found[Math.min(active, found.length - 1)]

  const choose = (definition: ComponentDefinition) => {
    const verdict = addNodeAt(canvas, definition, menu.spot)
    if (!verdict.ok) return notify.info(verdict.reason)
    noteRecentNode(definition.name)
    closeMenu(canvas, { focus: 'selection' })
  }
  const press = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: active + 1, ArrowUp: active - 1, Home: 0, End: found.length - 1 }
    const step = steps[event.key]
    const inField = event.target instanceof HTMLInputElement
    if (event.key === 'Escape') closeMenu(canvas)
    else if (inField && event.key === 'Enter' && marked) choose(marked)
    else if (inField && step !== undefined && found.length > 0) setActive((step + found.length) % found.length)
    else return
    event.preventDefault()
  }
  return (
    <SearchFrame place={menu.place} onKeyDown={press}>
      <Box p="2">
        <Input
          size="sm"
          autoFocus
          role="combobox"
          aria-label="Search nodes to add"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={marked && `${id}-${marked.name}`}
          placeholder="Search nodes"
          autoComplete="off"
          value={query}
          onChange={(event) => {
            setQuery(event.target.value)
            setActive(0)
          }}
        />
      </Box>
      <Results id={id} offer={offer} marked={marked} onChoose={choose} />
      {found.length + offer.refused.length === 0 && (
        <Box px="3" pb="3">
          <NoNodesFound query={query} />
        </Box>
      )}
      {!('from' in menu.spot) && 'at' in menu.spot && <CanvasActions at={menu.spot.at} />}
    </SearchFrame>
  )
}

interface SearchFrameProps {
  place: Point
  onKeyDown: (event: KeyboardEvent) => void
  children: ReactNode
}

/** Stands at a place of the window. A press beside it closes it. */
function SearchFrame({ place, onKeyDown, children }: SearchFrameProps) {
  const canvas = useCanvas()
  return (
    <Portal>
      <Box
        position="fixed"
        inset="0"
        zIndex="popover"
        onPointerDown={() => closeMenu(canvas)}
        onContextMenu={(event) => event.preventDefault()}
      />
      <Flex
        role="dialog"
        aria-label="Add a node"
        direction="column"
        position="fixed"
        zIndex="popover"
        {...placeInWindow(place, SIZE)}
        width={`${SIZE.width}px`}
        maxWidth="calc(100vw - 16px)"
        maxHeight={`${SIZE.height}px`}
        bg="bg.panel"
        borderWidth="1px"
        rounded="xl"
        shadow="lg"
        onKeyDown={onKeyDown}
      >
        {children}
      </Flex>
    </Portal>
  )
}

interface ResultsProps {
  id: string
  offer: Offer
  marked: ComponentDefinition | undefined
  onChoose: (definition: ComponentDefinition) => void
}

function Results({ id, offer, marked, onChoose }: ResultsProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (marked) list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [marked])
  return (
    <Box
      ref={list}
      id={`${id}-list`}
      role="listbox"
      aria-label="Nodes"
      overflowY="auto"
      flex="1"
      minHeight="0"
      px="1"
      pb="1"
    >
      {offer.groups.map(({ heading, definitions }) => (
        <Box key={heading} role="group" aria-label={heading}>
          <Text fontSize="2xs" fontWeight="semibold" color="fg.muted" px="2" pt="1" aria-hidden>
            {heading}
          </Text>
          {definitions.map((definition) => (
            <NodeOption
              key={definition.name}
              id={`${id}-${definition.name}`}
              definition={definition}
              marked={definition === marked}
              onChoose={() => onChoose(definition)}
            />
          ))}
        </Box>
      ))}
      {offer.refused.map(({ definition, reason }) => (
        <NodeOption key={definition.name} id={`${id}-${definition.name}`} definition={definition} reason={reason} />
      ))}
    </Box>
  )
}

interface NodeOptionProps {
  id: string
  definition: ComponentDefinition
  marked?: boolean
  /** Why it cannot be chosen. */
  reason?: string
  onChoose?: () => void
}

function NodeOption({ id, definition, marked = false, reason, onChoose }: NodeOptionProps) {
  const { NodeIcon } = useCanvas().kind
  return (
    <Flex
      id={id}
      role="option"
      aria-selected={marked}
      aria-disabled={reason !== undefined || undefined}
      align="center"
      gap="2.5"
      px="2"
      py="1.5"
      rounded="lg"
      cursor={reason === undefined ? 'pointer' : 'not-allowed'}
      bg={marked ? 'bg.muted' : undefined}
      _hover={reason === undefined ? { bg: 'bg.muted' } : undefined}
      title={definition.description}
      onClick={onChoose}
    >
      <span className="heddle-node-icon" style={{ background: definition.color }}>
        <NodeIcon name={definition.name} />
      </span>
      <Box minWidth="0">
        <Text fontSize="sm" fontWeight="medium" color={reason === undefined ? undefined : 'fg.muted'}>
          {definition.label}
        </Text>
        <Text fontSize="2xs" color="fg.muted" truncate={reason === undefined}>
          {reason ?? definition.description}
        </Text>
      </Box>
    </Flex>
  )
}

/** Further actions on the empty canvas. */
function CanvasActions({ at }: { at: Point }) {
  const canvas = useCanvas()
  const view = useView(canvas)
  const act = (does: () => unknown) => () => {
    closeMenu(canvas)
    void does()
  }
  const actions: [string, () => unknown][] = [
    ['Paste', () => pasteAt(canvas, at)],
    ['Select all', () => select(canvas, { nodes: canvas.state.flow.nodes.map(({ id }) => id) })],
    ['Auto-layout', () => layOut(canvas).then(view.fit)],
    ['Fit to view', view.fit],
  ]
  return (
    <Flex role="group" aria-label="Canvas" gap="1" p="1" borderTopWidth="1px" wrap="wrap">
      {actions.map(([label, does]) => (
        <Button key={label} size="2xs" variant="ghost" minHeight="6" onClick={act(does)}>
          {label}
        </Button>
      ))}
    </Flex>
  )
}

import { Flex, IconButton, Input, Text } from '@chakra-ui/react'
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { focusSelected } from '../interactions/focus.ts'
import { useCanvas } from '../store/context.ts'
import { select } from '../store/store.ts'
import { findInFlow } from './find-in-flow.ts'

interface FindBarProps {
  /** Counts how often it was asked for: each time, its field gets the focus. */
  calls: number
  /** Moves the view to a node. */
  onShow: (nodeId: string) => void
  onClose: () => void
}

/** Finds nodes by name, type, and the text in their inputs. Enter goes to the next one and selects it. */
export function FindBar({ calls, onShow, onClose }: FindBarProps) {
  const canvas = useCanvas()
  const { flow } = useSnapshot(canvas.state)
  const [query, setQuery] = useState('')
  const [shown, setShown] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const matches = useMemo(() => findInFlow(flow, query), [flow, query])
  const at = matches.findIndex(({ nodeId }) => nodeId === shown)
  const match = matches[at]

  // biome-ignore lint/correctness/useExhaustiveDependencies: each time it is asked for
  useEffect(() => field.current?.select(), [calls])

  const go = (by: 1 | -1) => {
    const from = at === -1 && by < 0 ? 0 : at
    const next = matches.at((from + by) % matches.length)
    if (!next) return
    setShown(next.nodeId)
    select(canvas, { nodes: [next.nodeId] })
    onShow(next.nodeId)
  }
  const close = () => {
    onClose()
    focusSelected(canvas)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter') go(event.shiftKey ? -1 : 1)
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
  }
  return (
    <Flex
      role="search"
      aria-label="Find in the flow"
      position="absolute"
      top="3"
      right="3"
      zIndex="docked"
      direction="column"
      gap="1"
      width="min(340px, calc(100% - 24px))"
      p="2"
      bg="bg.panel"
      borderWidth="1px"
      rounded="xl"
      shadow="md"
    >
      <Flex align="center" gap="1">
        <Input
          ref={field}
          size="xs"
          flex="1"
          minWidth="0"
          aria-label="Find"
          placeholder="Name, type, or text"
          value={query}
          onChange={(event) => {
            setQuery(event.target.value)
            setShown(undefined)
          }}
          onKeyDown={press}
        />
        <Text role="status" fontSize="xs" color="fg.muted" px="1" whiteSpace="nowrap">
          {query.trim() === '' ? '' : countText(at, matches.length)}
        </Text>
        <Steps disabled={matches.length === 0} onGo={go} />
        <Step label="Close find" onClick={close}>
          <IconX size={16} />
        </Step>
      </Flex>
      {match && (
        <Text fontSize="xs" color="fg.muted" px="1" truncate>
          <b>{match.label}</b>
          {match.where !== 'Name' && ` · ${match.where}: ${match.excerpt}`}
        </Text>
      )}
    </Flex>
  )
}

function countText(at: number, total: number): string {
  if (total === 0) return 'No matches'
  return at === -1 ? String(total) : `${at + 1} of ${total}`
}

function Steps({ disabled, onGo }: { disabled: boolean; onGo: (by: 1 | -1) => void }) {
  return (
    <>
      <Step label="Previous match" disabled={disabled} onClick={() => onGo(-1)}>
        <IconChevronUp size={16} />
      </Step>
      <Step label="Next match" disabled={disabled} onClick={() => onGo(1)}>
        <IconChevronDown size={16} />
      </Step>
    </>
  )
}

interface StepProps {
  label: string
  disabled?: boolean
  onClick: () => void
  children: React.ReactNode
}

const Step = ({ label, ...rest }: StepProps) => (
  <IconButton size="2xs" variant="ghost" aria-label={label} title={label} {...rest} />
)

import { Box, Button, Flex, Text } from '@chakra-ui/react'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { type KeyboardEvent, useId, useMemo, useState } from 'react'
import { copyText } from '../CopyField.tsx'
import { type JsonRow, jsonRows, sizeText } from './json-rows.ts'

interface JsonViewProps {
  /** A list or an object of plain data. */
  value: object
  label: string
}

/** JSON as a tree that folds, by mouse and by arrow keys. The selected row's path and value can be copied. */
export function JsonView({ value, label }: JsonViewProps) {
  const id = useId()
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const [selected, setSelected] = useState<string>()
  const rows = useMemo(() => jsonRows(value, toggled), [value, toggled])
  const index = rows.findIndex(({ path }) => path === selected)
  const row = rows[index]
  const toggle = (path: string) =>
    setToggled((paths) => new Set(paths.has(path) ? [...paths].filter((other) => other !== path) : [...paths, path]))

  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowDown: index + 1, ArrowUp: Math.max(index - 1, 0), Home: 0, End: rows.length - 1 }[event.key]
    const folds = row && { ArrowRight: row.isOpen === false, ArrowLeft: row.isOpen === true }[event.key]
    if (next === undefined && !folds) return
    event.preventDefault()
    if (folds) toggle(row.path)
    const target = next === undefined ? undefined : rows[Math.min(next, rows.length - 1)]
    if (!target) return
    setSelected(target.path)
    document.getElementById(`${id}${target.path}`)?.scrollIntoView({ block: 'nearest' })
  }

  return (
    <Box mt="1" bg="bg.subtle" borderRadius="lg" fontSize="xs" overflow="hidden">
      <Box
        role="tree"
        tabIndex={0}
        aria-label={label}
        aria-activedescendant={row && `${id}${row.path}`}
        onKeyDown={onKeyDown}
        p="3"
        fontFamily="mono"
        maxH="24rem"
        overflow="auto"
        overflowWrap="anywhere"
      >
        {rows.map((each) => (
          <Row
            key={each.path}
            id={`${id}${each.path}`}
            row={each}
            isSelected={each === row}
            onSelect={() => setSelected(each.path)}
            onToggle={() => toggle(each.path)}
          />
        ))}
      </Box>
      {row && row.hidden === undefined && (
        <Flex align="center" gap="1" px="3" py="1" borderTopWidth="1px">
          <Text fontFamily="mono" color="fg.muted" flex="1" truncate title={row.path}>
            {row.path}
          </Text>
          <Button size="2xs" variant="ghost" onClick={() => void copyText(row.path, 'Path')}>
            Copy path
          </Button>
          <Button size="2xs" variant="ghost" onClick={() => void copyText(textOf(row.value), 'Value')}>
            Copy value
          </Button>
        </Flex>
      )}
    </Box>
  )
}

interface RowProps {
  id: string
  row: JsonRow
  isSelected: boolean
  onSelect(): void
  onToggle(): void
}

function Row({ id, row, isSelected, onSelect, onToggle }: RowProps) {
  const { key, level, value, isOpen, hidden } = row
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <Flex
      id={id}
      role="treeitem"
      aria-level={level}
      aria-expanded={isOpen}
      aria-selected={isSelected}
      onClick={() => {
        onSelect()
        // Selecting text to copy it must not fold the row.
        if (isOpen !== undefined && getSelection()?.isCollapsed) onToggle()
      }}
      minH="5"
      gap="1"
      borderRadius="sm"
      bg={isSelected ? 'bg.muted' : undefined}
      cursor={isOpen === undefined ? undefined : 'pointer'}
      style={{ paddingInlineStart: `${level - 1}rem` }}
    >
      <Box w="3.5" flexShrink="0" pt="0.5" color="fg.muted" aria-hidden>
        {isOpen !== undefined && <Chevron size={14} />}
      </Box>
      <Box minW="0" whiteSpace="pre-wrap">
        {key !== undefined && `${key}: `}
        {hidden === undefined ? (
          <Value value={value} />
        ) : (
          <Text as="span">{hidden} more. Copy the value to see all.</Text>
        )}
      </Box>
    </Flex>
  )
}

const COLORS: Partial<Record<string, string>> = { string: 'success.fg', number: 'accent.fg', boolean: 'warning.fg' }

function Value({ value }: { value: unknown }) {
  const isParent = typeof value === 'object' && value !== null
  return (
    <Text as="span" color={COLORS[typeof value] ?? 'fg.muted'}>
      {isParent ? sizeText(value) : textOf(value)}
    </Text>
  )
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? ''))

import { Box, Code, Dialog, Flex, Input, Portal, Text } from '@chakra-ui/react'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useId, useState } from 'react'
import { useSnapshot } from 'valtio'
import { AreaIcon } from '../AreaIcon.tsx'
import { closeSearch, shell } from '../shell-state.ts'
import { type Result, useResults } from './use-results.ts'

export default function SearchDialog() {
  const { search, searches } = useSnapshot(shell)
  return (
    <Dialog.Root
      placement="top"
      open={search}
      lazyMount
      unmountOnExit
      onOpenChange={({ open }) => !open && closeSearch()}
    >
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner px="4">
          <Dialog.Content aria-label="Search" overflow="hidden">
            {/* Each time without what was looked for before. */}
            <Search key={searches} />
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}

function Search() {
  const navigate = useNavigate()
  const listId = useId()
  const [query, setQuery] = useState('')
  const { results, searching } = useResults(query)
  // By key: what the server finds later must not move the selection to another result.
  const [chosen, setChosen] = useState<string>()
  const selected = Math.max(
    0,
    results.findIndex(({ key }) => key === chosen),
  )

  const open = async (result: Result | undefined) => {
    if (!result) return
    closeSearch()
    if (result.target) await navigate(result.target)
    result.run?.()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && results.length) setChosen(results[(selected + step + results.length) % results.length]?.key)
    else if (event.key === 'Enter') void open(results[selected])
    else return
    event.preventDefault()
  }

  return (
    <>
      <Input
        autoFocus
        size="xl"
        variant="flushed"
        px="5"
        role="combobox"
        aria-label="Search"
        aria-expanded={results.length > 0}
        aria-controls={listId}
        aria-activedescendant={results.length ? `${listId}-${selected}` : undefined}
        aria-autocomplete="list"
        placeholder="Search for anything..."
        value={query}
        onChange={(event) => {
          setQuery(event.target.value)
          setChosen(undefined)
        }}
        onKeyDown={onKeyDown}
      />
      <Box id={listId} role="listbox" aria-label="Results" p={results.length ? '2' : '0'} maxH="60vh" overflowY="auto">
        {results.map((result, at) => (
          <Option
            key={result.key}
            id={`${listId}-${at}`}
            result={result}
            selected={at === selected}
            onOpen={() => void open(result)}
            onHover={() => setChosen(result.key)}
          />
        ))}
      </Box>
      {results.length === 0 && (
        <Text role="status" p="6" textAlign="center" color="fg.muted" overflowWrap="anywhere">
          {searching ? 'Searching…' : `No results found for ${query}`}
        </Text>
      )}
      <Text px="5" py="3" borderTopWidth="1px" textStyle="xs" color="fg.muted">
        Use ↑↓ to navigate, Enter to select, Esc to close
      </Text>
    </>
  )
}

interface OptionProps {
  id: string
  result: Result
  selected: boolean
  onOpen(): void
  onHover(): void
}

function Option({ id, result, selected, onOpen, onHover }: OptionProps) {
  const { icon, title, description, path } = result
  return (
    <Flex
      id={id}
      role="option"
      aria-selected={selected}
      align="center"
      gap="3"
      px="3"
      py="2.5"
      borderRadius="l2"
      cursor="pointer"
      bg={selected ? 'accent.subtle' : undefined}
      onClick={onOpen}
      onMouseMove={onHover}
    >
      <AreaIcon name={icon} size={20} />
      <Box flex="1" minW="0">
        <Text fontWeight="medium" lineClamp="1" overflowWrap="anywhere">
          {title}
        </Text>
        <Text textStyle="xs" color="fg.muted" lineClamp="1" overflowWrap="anywhere">
          {description}
        </Text>
      </Box>
      <Code size="sm">{path}</Code>
    </Flex>
  )
}

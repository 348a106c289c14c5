import { Box, Code, Dialog, Flex, Input, Portal, Text } from '@chakra-ui/react'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useId, useState } from 'react'
import { useSnapshot } from 'valtio'
import { AreaIcon } from './AreaIcon.tsx'
import { type MenuItem, searchMenu } from './menu.ts'
import { shell } from './shell-state.ts'
import { useMenu } from './use-menu.ts'

export default function SearchDialog() {
  const { search } = useSnapshot(shell)
  return (
    <Dialog.Root
      placement="top"
      open={search}
      lazyMount
      unmountOnExit
      onOpenChange={({ open }) => {
        shell.search = open
      }}
    >
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner px="4">
          <Dialog.Content aria-label="Search" overflow="hidden">
            <Search />
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}

function Search() {
  const navigate = useNavigate()
  const listId = useId()
  const items = useMenu()
  const [query, setQuery] = useState('')
  const [selected, setSelected] = useState(0)
  const results = searchMenu(items, query)

  const open = (item: MenuItem | undefined) => {
    if (!item) return
    shell.search = false
    navigate({ to: item.path })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && results.length) setSelected((selected + step + results.length) % results.length)
    else if (event.key === 'Enter') open(results[selected])
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
          setSelected(0)
        }}
        onKeyDown={onKeyDown}
      />
      <Box id={listId} role="listbox" aria-label="Pages" p={results.length ? '2' : '0'} maxH="60vh" overflowY="auto">
        {results.map((item, at) => (
          <Result
            key={item.path}
            id={`${listId}-${at}`}
            item={item}
            selected={at === selected}
            onOpen={() => open(item)}
            onHover={() => setSelected(at)}
          />
        ))}
      </Box>
      {results.length === 0 && (
        <Text role="status" p="6" textAlign="center" color="fg.muted" overflowWrap="anywhere">
          No results found for {query}
        </Text>
      )}
      <Text px="5" py="3" borderTopWidth="1px" textStyle="xs" color="fg.muted">
        Use ↑↓ to navigate, Enter to select, Esc to close
      </Text>
    </>
  )
}

interface ResultProps {
  id: string
  item: MenuItem
  selected: boolean
  onOpen(): void
  onHover(): void
}

function Result({ id, item, selected, onOpen, onHover }: ResultProps) {
  const { icon, menuTitle, description, path } = item
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
        <Text fontWeight="medium">{menuTitle}</Text>
        <Text textStyle="xs" color="fg.muted">
          {description}
        </Text>
      </Box>
      <Code size="sm">{path}</Code>
    </Flex>
  )
}

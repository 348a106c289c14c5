import { Box, Button, CloseButton, Dialog, Flex, Heading, Input, Portal, Stack, Text } from '@chakra-ui/react'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { useReturnedFocus } from '../use-returned-focus.ts'

export interface PickerItem {
  id: string
  label: string
  detail?: string
  icon?: ReactNode
  /** Stands at the end of the row. */
  mark?: ReactNode
  isCurrent?: boolean
  isBusy?: boolean
  disabled?: boolean
}

interface PickerGroup {
  /** One group alone needs none. */
  title?: string
  items: PickerItem[]
}

interface Props {
  title: string
  /** What is picked, in the plural. */
  noun: string
  search: string
  onSearch(search: string): void
  /** Few items need no search. */
  isSearchable?: boolean
  /** What the search finds. Groups without items are left out. */
  groups: PickerGroup[]
  /** Said when the search finds nothing. */
  none?: string
  /** Stands in for the items, for example while they load. */
  children?: ReactNode
  onPick(id: string): void
  onClose(): void
}

/**
 * Picks one item of a list. Enter in the search takes the first that it finds. The items are one Tab stop; arrow keys,
 * Home and End move inside it, up leads back to the search, and so does typing.
 */
export function PickerDialog(props: Props) {
  const { title, noun, search, onSearch, isSearchable = true, groups, children, onPick, onClose } = props
  useReturnedFocus()
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const first = groups.flatMap(({ items }) => items).find((item) => !item.disabled)
  const onSearchKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && search.trim() !== '' && first) onPick(first.id)
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    list.current?.querySelector<HTMLElement>('button:enabled')?.focus()
  }
  return (
    <Dialog.Root
      open
      size="sm"
      placement="center"
      scrollBehavior="inside"
      onOpenChange={({ open }) => !open && onClose()}
    >
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content maxH="min(40rem, calc(100dvh - 6rem))">
            <Dialog.Header display="block">
              <Dialog.Title>{title}</Dialog.Title>
              {isSearchable && (
                <Input
                  ref={input}
                  mt="3"
                  type="search"
                  autoFocus
                  autoComplete="off"
                  aria-label={`Search ${noun}`}
                  placeholder={`Search ${noun}`}
                  value={search}
                  onChange={(event) => onSearch(event.target.value)}
                  onKeyDown={onSearchKey}
                />
              )}
            </Dialog.Header>
            <Dialog.Body ref={list} onKeyDown={(event) => moveFocus(event, input.current)}>
              {children ?? (
                <>
                  <Items groups={groups} onPick={onPick} />
                  <Text role="status" color="fg.muted" overflowWrap="anywhere" srOnly={groups.length > 0}>
                    {groups.length === 0 ? (props.none ?? `No ${noun} match “${search}”.`) : ''}
                  </Text>
                </>
              )}
            </Dialog.Body>
            <Dialog.CloseTrigger asChild>
              <CloseButton size="sm" />
            </Dialog.CloseTrigger>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}

function moveFocus(event: KeyboardEvent<HTMLElement>, search: HTMLElement | null) {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('button:enabled')]
  const at = items.indexOf(document.activeElement as HTMLElement)
  if (at < 0) return
  const { key } = event
  const isTyped = key.length === 1 && key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey
  // The key that is being pressed goes to what has the focus then.
  if (isTyped) search?.focus()
  const places: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }
  const place = places[key]
  if (place === undefined) return
  event.preventDefault()
  const next = place < 0 ? search : items[place]
  next?.focus()
}

function Items({ groups, onPick }: Pick<Props, 'groups' | 'onPick'>) {
  const [stop, setStop] = useState('')
  const items = groups.flatMap((group) => group.items).filter(({ disabled }) => !disabled)
  const stopAt = items.find(({ id }) => id === stop) ?? items[0]
  return (
    <Stack gap="4">
      {groups.map((group) => (
        <Box key={group.title}>
          {group.title && (
            <Heading as="h3" textStyle="xs" color="fg.muted" mb="1">
              {group.title}
            </Heading>
          )}
          <Box as="ul" listStyleType="none" aria-label={group.title}>
            {group.items.map((item) => (
              <li key={item.id}>
                <Row
                  item={item}
                  tabIndex={item === stopAt ? 0 : -1}
                  onFocus={() => setStop(item.id)}
                  onPick={() => onPick(item.id)}
                />
              </li>
            ))}
          </Box>
        </Box>
      ))}
    </Stack>
  )
}

interface RowProps {
  item: PickerItem
  tabIndex: number
  onFocus(): void
  onPick(): void
}

function Row({ item, tabIndex, onFocus, onPick }: RowProps) {
  return (
    <Button
      variant="ghost"
      w="full"
      h="auto"
      minH="11"
      py="1.5"
      px="2"
      justifyContent="space-between"
      whiteSpace="normal"
      textAlign="start"
      tabIndex={tabIndex}
      aria-current={item.isCurrent ? 'true' : undefined}
      disabled={item.disabled}
      loading={item.isBusy}
      onFocus={onFocus}
      onClick={onPick}
    >
      <Flex gap="3" align="center" minW="0">
        {item.icon}
        <Box minW="0" overflowWrap="anywhere">
          <Text>{item.label}</Text>
          {item.detail && (
            <Text textStyle="xs" fontWeight="normal" color="fg.muted" lineClamp="3">
              {item.detail}
            </Text>
          )}
        </Box>
      </Flex>
      {item.mark}
    </Button>
  )
}

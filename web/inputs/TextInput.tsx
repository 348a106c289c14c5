import { Box, Input, Textarea } from '@chakra-ui/react'
import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react'
import { plainText } from '#contract/flow/params/rich-text.ts'
import type { Suggestion } from '#contract/flow/references/suggestions.ts'
import { complete, matching, type OpenReference, openReference } from './reference-completion.ts'
import { SuggestionList } from './SuggestionList.tsx'
import { asText, type InputProps, useInputEnvironment } from './types.ts'

type Field = HTMLInputElement | HTMLTextAreaElement

/** A single- or multi-line text field. Offers variables after `{{` if the parameter accepts them. */
export function TextInput({ id, param, value, onChange, onDone }: InputProps) {
  const [touched, setTouched] = useState(false)
  const stored = asText(value)
  const text = touched ? stored : plainText(stored)
  const field = useRef<Field>(null)
  const change = (next: string) => {
    setTouched(true)
    onChange(next)
  }
  const offers = useSuggestions({ param, text, field, change })
  const control = {
    id,
    ref: field as RefObject<never>,
    value: text,
    size: 'sm',
    placeholder: param.placeholder,
    onChange: (event: { target: Field }) => {
      change(event.target.value)
      offers.look(event.target)
    },
    onSelect: (event: { target: EventTarget }) => offers.look(event.target as Field),
    onKeyDown: offers.keyDown,
    onBlur: () => {
      offers.close()
      onDone()
    },
    autoComplete: 'off',
    ...offers.aria,
  } as const
  return (
    <Box position="relative" width="full">
      {param.rows && param.rows > 1 ? (
        <Textarea {...control} rows={param.rows} autoresize maxHeight="60vh" />
      ) : (
        <Input {...control} />
      )}
      {offers.list}
    </Box>
  )
}

interface Offering {
  param: InputProps['param']
  text: string
  field: RefObject<Field | null>
  change: (text: string) => void
}

/** Tracks the caret and handles the keys of the suggestion list. */
function useSuggestions({ param, text, field, change }: Offering) {
  const world = useInputEnvironment()
  const listId = useId()
  const [open, setOpen] = useState<OpenReference | null>(null)
  const [active, setActive] = useState(0)
  const caretAfter = useRef<number | null>(null)
  const found = open ? matching(world.suggestions(param), open.query).slice(0, 50) : []
  const shown = found.length > 0

  useLayoutEffect(() => {
    if (caretAfter.current === null) return
    field.current?.setSelectionRange(caretAfter.current, caretAfter.current)
    caretAfter.current = null
  })

  const look = (target: Field) => {
    if (!param.acceptVariable) return
    const next = openReference(target.value, target.selectionStart ?? 0)
    if (next?.from !== open?.from || next?.query !== open?.query) setActive(0)
    setOpen(next)
  }
  const choose = ({ id }: Suggestion) => {
    if (!open) return
    const done = complete(text, open, { id, caret: field.current?.selectionStart ?? text.length })
    caretAfter.current = done.caret
    change(done.text)
    setOpen(null)
  }
  const keyDown = (event: KeyboardEvent) => {
    if (!shown) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setActive((active + step + found.length) % found.length)
    else if (event.key === 'Escape') setOpen(null)
    else if (event.key === 'Enter' || event.key === 'Tab') choose(found[active] as Suggestion)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const aria = shown
    ? { 'aria-autocomplete': 'list', 'aria-controls': listId, 'aria-activedescendant': `${listId}-${active}` }
    : param.acceptVariable
      ? { 'aria-autocomplete': 'list' }
      : {}
  const list = shown && <SuggestionList id={listId} suggestions={found} active={active} onChoose={choose} />
  return { look, keyDown, close: () => setOpen(null), aria: aria as { 'aria-autocomplete'?: 'list' }, list }
}

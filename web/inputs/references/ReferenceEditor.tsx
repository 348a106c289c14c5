import { Box } from '@chakra-ui/react'
import { EditorState } from '@codemirror/state'
import { EditorView, placeholder } from '@codemirror/view'
import { minimalSetup } from 'codemirror'
import { type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import type { NodeNames } from '#contract/flow/references/reference-names.ts'
import type { Suggestion } from '#contract/flow/references/suggestions.ts'
import { type Caret, type InputProps, useInputEnvironment } from '../types.ts'
import { redrawChips, referenceChips } from './chips.ts'
import { complete, matching, type OpenReference, openReference } from './completion.ts'
import { SuggestionList } from './SuggestionList.tsx'

export interface ReferenceEditorProps {
  id: string
  param: InputProps['param']
  text: string
  onChange: (text: string) => void
  onDone: () => void
  /** Where the caret was in the plain field that this editor replaces. */
  caret: RefObject<Caret | null>
}

const MAX_SUGGESTIONS = 50

/** A text field whose references are chips. Offers variables after `{{`. */
export default function ReferenceEditor(props: ReferenceEditorProps) {
  const { id, param, text, caret } = props
  const names = useInputEnvironment().nodeNames()
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const { look, pressKey, list } = useSuggestions(param, view)
  const latest = useRef({ ...props, look, pressKey, names })
  latest.current = { ...props, look, pressKey, names }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor keeps its own state; later effects update it
  useLayoutEffect(() => {
    if (!host.current) return
    const editor = createEditor(host.current, latest)
    view.current = editor
    if (caret.current) {
      const { from, to } = caret.current
      editor.focus()
      editor.dispatch({ selection: { anchor: Math.min(from, text.length), head: Math.min(to, text.length) } })
    }
    return () => editor.destroy()
  }, [id])

  useEffect(() => {
    const editor = view.current
    if (editor && editor.state.doc.toString() !== text) replaceText(editor, text)
  }, [text])
  // biome-ignore lint/correctness/useExhaustiveDependencies: new names are drawn
  useEffect(() => view.current?.dispatch({ effects: redrawChips.of(null) }), [names])

  return (
    <Box position="relative" width="full">
      <Box
        ref={host}
        borderWidth="1px"
        borderColor="border.control"
        borderRadius="l2"
        bg="bg.panel"
        fontSize="sm"
        _focusWithin={{ outline: '2px solid', outlineColor: 'accent.focusRing', outlineOffset: '0' }}
      />
      {list}
    </Box>
  )
}

/** Follows the caret, and handles the keys of the list. */
function useSuggestions(param: InputProps['param'], view: RefObject<EditorView | null>) {
  const world = useInputEnvironment()
  const listId = useId()
  const [open, setOpen] = useState<OpenReference | null>(null)
  const [active, setActive] = useState(0)
  const found = open ? matching(world.suggestions(param), open.query).slice(0, MAX_SUGGESTIONS) : []
  const shown = found.length > 0

  const look = (editor: EditorView) => {
    const { head, empty } = editor.state.selection.main
    const next = empty && editor.hasFocus ? openReference(editor.state.doc.toString(), head) : null
    if (next?.from !== open?.from || next?.query !== open?.query) setActive(0)
    setOpen(next)
  }
  const choose = ({ id }: Suggestion) => {
    const editor = view.current
    if (!open || !editor) return
    const done = complete(editor.state.doc.toString(), open, { id, caret: editor.state.selection.main.head })
    replaceText(editor, done.text, done.caret)
    setOpen(null)
  }
  const pressKey = (event: KeyboardEvent): boolean => {
    if (!shown) return !isMultiline(param) && event.key === 'Enter'
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setActive((active + step + found.length) % found.length)
    else if (event.key === 'Escape') setOpen(null)
    else if (event.key === 'Enter' || event.key === 'Tab') choose(found[active] as Suggestion)
    else return false
    event.stopPropagation()
    return true
  }
  useEffect(() => {
    const content = view.current?.contentDOM
    const aria = { 'aria-controls': listId, 'aria-activedescendant': `${listId}-${active}` }
    for (const [name, value] of Object.entries(aria)) {
      if (shown) content?.setAttribute(name, value)
      else content?.removeAttribute(name)
    }
  }, [shown, active, listId, view])
  const list = shown && <SuggestionList id={listId} suggestions={found} active={active} onChoose={choose} />
  return { look, pressKey, list }
}

const isMultiline = ({ rows }: InputProps['param']) => (rows ?? 1) > 1

function replaceText(view: EditorView, text: string, caret = Math.min(view.state.selection.main.head, text.length)) {
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor: caret } })
}

interface Latest extends ReferenceEditorProps {
  look: (view: EditorView) => void
  pressKey: (event: KeyboardEvent) => boolean
  names: NodeNames
}

function createEditor(parent: HTMLElement, latest: RefObject<Latest>): EditorView {
  const { id, param, text } = latest.current
  const follow = EditorView.updateListener.of((update) => {
    const now = update.state.doc.toString()
    if (update.docChanged && now !== latest.current.text) latest.current.onChange(now)
    if (update.docChanged || update.selectionSet || update.focusChanged) latest.current.look(update.view)
    if (update.focusChanged && !update.view.hasFocus) latest.current.onDone()
  })
  const extensions = [
    EditorView.domEventHandlers({ keydown: (event) => latest.current.pressKey(event) }),
    minimalSetup,
    referenceChips(() => latest.current.names),
    follow,
    EditorView.lineWrapping,
    placeholder(param.placeholder ?? ''),
    theme(param),
    isMultiline(param) ? [] : oneLine,
    EditorView.contentAttributes.of({
      id,
      'aria-labelledby': `${id}-label`,
      'aria-multiline': String(isMultiline(param)),
      'aria-autocomplete': 'list',
    }),
  ]
  return new EditorView({ parent, state: EditorState.create({ doc: text, extensions }) })
}

/** Pasted lines are joined. */
const oneLine = EditorState.transactionFilter.of((transaction) => {
  if (!transaction.docChanged || transaction.newDoc.lines === 1) return transaction
  const text = transaction.newDoc.toString().replace(/\n+/g, ' ')
  return {
    changes: { from: 0, to: transaction.startState.doc.length, insert: text },
    selection: { anchor: text.length },
  }
})

const theme = (param: InputProps['param']) =>
  EditorView.theme({
    '&': { backgroundColor: 'transparent' },
    '&.cm-focused': { outline: 'none' },
    '.cm-scroller': { fontFamily: 'inherit', lineHeight: '1.5', maxHeight: '60vh', overflow: 'auto' },
    '.cm-content': {
      padding: '6px 0',
      minHeight: isMultiline(param) ? `${(param.rows ?? 1) * 1.5 + 0.9}em` : 'auto',
      caretColor: 'var(--heddle-colors-fg)',
      color: 'var(--heddle-colors-fg)',
    },
    '.cm-line': { padding: '0 8px' },
    '.cm-cursor': { borderLeftColor: 'var(--heddle-colors-fg)' },
    '.cm-placeholder': { color: 'var(--heddle-colors-fg-subtle)' },
    '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
      background: 'var(--heddle-colors-accent-muted)',
    },
  })

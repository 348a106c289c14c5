import { javascript } from '@codemirror/lang-javascript'
import { json } from '@codemirror/lang-json'
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { Compartment, EditorState, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, placeholder as placeholderText } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { basicSetup } from 'codemirror'
import { useEffect, useRef } from 'react'
import { useSnapshot } from 'valtio'
import type { NodeNames } from '#contract/flow/references/reference-names.ts'
import { appearance } from '../api/appearance.ts'
import type { CodeLanguage } from './code-check.ts'
import { redrawChips, referenceChips } from './references/chips.ts'

export interface CodeEditorProps {
  id: string
  label: string
  language: CodeLanguage
  value: string
  placeholder: string
  /** The line to highlight, from 1. */
  errorLine: number | undefined
  height: string
  /** Set where references are resolved: they are drawn as chips. */
  names: NodeNames | undefined
  onChange: (value: string) => void
  onDone: () => void
}

const languages = { javascript, json, plain: () => [] }
const markLine = StateEffect.define<number | undefined>()
const markedLine = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    const effect = transaction.effects.find((each) => each.is(markLine))
    if (!effect) return marks.map(transaction.changes)
    const line = effect.value
    if (line === undefined || line > transaction.state.doc.lines) return Decoration.none
    const at = transaction.state.doc.line(line).from
    return Decoration.set([Decoration.line({ class: 'cm-problem-line' }).range(at)])
  },
  provide: (field) => EditorView.decorations.from(field),
})

const look = (dark: boolean) =>
  EditorView.theme(
    {
      '&': { height: '100%', fontSize: '12.5px', backgroundColor: 'var(--heddle-colors-bg-panel)' },
      '.cm-gutters': {
        backgroundColor: 'var(--heddle-colors-bg-subtle)',
        color: 'var(--heddle-colors-fg-muted)',
        border: 'none',
      },
      '.cm-content': { caretColor: 'var(--heddle-colors-fg)', color: 'var(--heddle-colors-fg)' },
      '.cm-placeholder': { color: 'var(--heddle-colors-fg-subtle)' },
      '.cm-problem-line': { backgroundColor: 'var(--heddle-colors-danger-subtle)' },
      '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
    },
    { dark },
  )

/** Syntax colors from the theme, readable in both modes. */
const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'var(--heddle-colors-accent-fg)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--heddle-colors-success-fg)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--heddle-colors-warning-fg)' },
  { tag: tags.comment, color: 'var(--heddle-colors-fg-muted)', fontStyle: 'italic' },
  { tag: tags.invalid, color: 'var(--heddle-colors-danger-fg)' },
])

/** CodeMirror as a controlled field. Escape followed by Tab leaves it. */
export default function CodeEditor(props: CodeEditorProps) {
  const { id, label, language, value, placeholder, errorLine, height, names } = props
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const latest = useRef(props)
  latest.current = props
  const theme = useRef(new Compartment()).current
  const { isDarkMode } = useSnapshot(appearance)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor keeps its own state; later effects update it
  useEffect(() => {
    if (!host.current) return
    const reportChanges = EditorView.updateListener.of((update) => {
      const text = update.state.doc.toString()
      if (update.docChanged && text !== latest.current.value) latest.current.onChange(text)
      if (update.focusChanged && !update.view.hasFocus) latest.current.onDone()
    })
    const extensions = [
      basicSetup,
      languages[language](),
      syntaxHighlighting(colours),
      theme.of(look(isDarkMode)),
      markedLine,
      names ? referenceChips(() => latest.current.names ?? names) : [],
      reportChanges,
      EditorView.lineWrapping,
      placeholderText(placeholder),
      EditorView.contentAttributes.of({ id, 'aria-label': label, tabindex: '0' }),
    ]
    const editor = new EditorView({ parent: host.current, state: EditorState.create({ doc: value, extensions }) })
    view.current = editor
    return () => editor.destroy()
  }, [id, language])

  useEffect(() => {
    const editor = view.current
    if (!editor || editor.state.doc.toString() === value) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
  }, [value])

  useEffect(() => view.current?.dispatch({ effects: theme.reconfigure(look(isDarkMode)) }), [theme, isDarkMode])
  useEffect(() => view.current?.dispatch({ effects: markLine.of(errorLine) }), [errorLine])
  // biome-ignore lint/correctness/useExhaustiveDependencies: new names are drawn
  useEffect(() => view.current?.dispatch({ effects: redrawChips.of(null) }), [names])

  return (
    <div
      ref={host}
      style={{
        height,
        overflow: 'hidden',
        borderRadius: 10,
        border: '1px solid var(--heddle-colors-border-control)',
      }}
    />
  )
}

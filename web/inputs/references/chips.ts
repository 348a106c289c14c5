/** References as chips in a CodeMirror editor. The text keeps them as they are written: `{{llmAgentflow_0}}`. */
import { type Extension, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view'
import { type Chip, chipOf, type NodeNames } from '#contract/flow/references/reference-names.ts'
import { parseTemplate } from '#contract/flow/references/references.ts'

/** Draws the chips again, after a node was renamed or removed. */
export const redrawChips = StateEffect.define<null>()

class ChipWidget extends WidgetType {
  readonly chip: Chip
  readonly source: string

  constructor(chip: Chip, source: string) {
    super()
    this.chip = chip
    this.source = source
  }

  override eq({ chip, source }: ChipWidget): boolean {
    return chip.name === this.chip.name && chip.gone === this.chip.gone && source === this.source
  }

  override toDOM(): HTMLElement {
    const element = document.createElement('span')
    element.className = 'heddle-chip'
    element.textContent = this.chip.gone ? `${this.chip.name} (missing)` : this.chip.name
    element.title = this.source
    if (this.chip.gone) element.dataset.gone = 'true'
    return element
  }

  override ignoreEvent(): boolean {
    return false
  }
}

/** Each chip is one character to the caret and to Backspace. */
export function referenceChips(names: () => NodeNames): Extension {
  const chips = StateField.define<DecorationSet>({
    create: (state) => chipsIn(state.doc.toString(), names()),
    update: (drawn, transaction) =>
      transaction.docChanged || transaction.effects.some((effect) => effect.is(redrawChips))
        ? chipsIn(transaction.state.doc.toString(), names())
        : drawn,
    provide: (field) => [
      EditorView.decorations.from(field),
      EditorView.atomicRanges.of((view) => view.state.field(field)),
    ],
  })
  return [chips, look]
}

function chipsIn(text: string, names: NodeNames): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>()
  let at = 0
  for (const part of parseTemplate(text)) {
    const source = part.kind === 'text' ? part.text : part.source
    const chip = part.kind === 'reference' ? chipOf(part, names) : undefined
    if (chip) builder.add(at, at + source.length, Decoration.replace({ widget: new ChipWidget(chip, source) }))
    at += source.length
  }
  return builder.finish()
}

const look = EditorView.baseTheme({
  '.heddle-chip': {
    padding: '1px 6px',
    borderRadius: '6px',
    fontSize: '0.93em',
    backgroundColor: 'var(--heddle-colors-accent-subtle)',
    color: 'var(--heddle-colors-accent-fg)',
  },
  '.heddle-chip[data-gone]': {
    backgroundColor: 'var(--heddle-colors-danger-subtle)',
    color: 'var(--heddle-colors-danger-fg)',
  },
})

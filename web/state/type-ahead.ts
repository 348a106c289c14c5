/** Keeps keys that are typed before a text field has the focus, and types them into it. */

/** Elements that take the keys when they have the focus. */
const TAKES_KEYS = 'input, textarea, select, [contenteditable="true"], [role="dialog"]'

/** Milliseconds. A field that never loads must not take the keys for ever. */
const LONGEST_WAIT = 20_000

interface TypeAhead {
  /** Called with all that was typed so far. */
  onChange?(text: string): void
  /** Called for Escape: nobody waits for the field any more. */
  onEscape(): void
}

let end = () => {}

/**
 * Call it in the same tick as opening: from then on no letter is a shortcut of the page below.
 * @param field the selector of the text field that is about to take the focus. Another field or a dialog that takes it ends this too
 */
export function typeAhead(field: string, { onChange, onEscape }: TypeAhead): void {
  end()
  let text = ''
  const listening = new AbortController()
  const options = { capture: true, signal: listening.signal }
  const timer = setTimeout(() => end(), LONGEST_WAIT)
  end = () => {
    clearTimeout(timer)
    listening.abort()
  }

  window.addEventListener(
    'keydown',
    (event) => {
      const next = textAfter(text, event)
      if (next === undefined) return
      event.preventDefault()
      event.stopPropagation()
      text = next
      onChange?.(text)
      if (event.key !== 'Escape') return
      end()
      onEscape()
    },
    options,
  )
  window.addEventListener(
    'focusin',
    ({ target }) => {
      if (!(target instanceof Element && target.closest(TAKES_KEYS))) return
      end()
      // After React has finished with the field; no key can come in between.
      if (text && target.matches(field)) queueMicrotask(() => document.execCommand('insertText', false, text))
    },
    options,
  )
}

export const endTypeAhead = (): void => end()

/** Returns undefined for keys that are not for a text field. */
function textAfter(text: string, event: KeyboardEvent): string | undefined {
  const { key, metaKey, ctrlKey, altKey } = event
  // Some keyboards write @ with AltGr, which counts as Ctrl and Alt.
  if ((metaKey || ctrlKey || altKey) && !event.getModifierState('AltGraph')) return undefined
  if (key === 'Backspace') return text.slice(0, -1)
  if (key === 'Enter') return text
  if (key === 'Escape') return ''
  return key.length === 1 ? text + key : undefined
}

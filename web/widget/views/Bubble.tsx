/** @jsxImportSource preact */
/** A button in the corner that opens the chat as a dialog. */
import { useEffect, useRef } from 'preact/hooks'
import type { Session } from '../session.ts'
import { Chat } from './Chat.tsx'
import { Icon } from './icons.tsx'
import { useSession } from './use-session.ts'

interface BubbleProps {
  session: Session
  title?: string
  isOpen: boolean
  onToggle(isOpen: boolean): void
}

export function Bubble({ session, title, isOpen, onToggle }: BubbleProps) {
  const panel = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  const { settings } = useSession(session)
  const icon = settings?.button.icon
  useEffect(() => {
    if (isOpen) firstField(panel.current)?.focus()
    else if (wasOpen.current) button.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  // What had the focus may be gone with the next message.
  useEffect(() => session.subscribe(() => requestAnimationFrame(() => keepFocus(panel.current))), [session])
  return (
    <>
      {isOpen && (
        <div
          ref={panel}
          class="panel"
          role="dialog"
          aria-modal="true"
          aria-label={title ?? settings?.title ?? 'Chat'}
          tabIndex={-1}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onToggle(false)
            else if (event.key === 'Tab') keepInside(event, panel.current)
            // The page's own shortcuts are not meant for what is typed here.
            event.stopPropagation()
          }}
        >
          <Chat session={session} title={title} onClose={() => onToggle(false)} />
        </div>
      )}
      <button
        ref={button}
        class="bubble"
        type="button"
        aria-label={isOpen ? 'Close chat' : 'Open chat'}
        aria-expanded={isOpen}
        onClick={() => onToggle(!isOpen)}
      >
        {icon && !isOpen ? <img src={icon} alt="" /> : <Icon name={isOpen ? 'close' : 'chat'} />}
      </button>
    </>
  )
}

const FOCUSABLE = 'a[href],button:not(:disabled),textarea,select,summary,input:not([hidden]),[tabindex="0"]'

const focusableIn = (panel: HTMLElement | null): HTMLElement[] =>
  [...(panel?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])].filter((element) => element.checkVisibility())

const firstField = (panel: HTMLElement | null) =>
  panel?.querySelector<HTMLElement>('textarea,input:not([hidden])') ?? panel

/** The field may come after the panel, with the settings of the flow. */
function keepFocus(panel: HTMLElement | null): void {
  if (!panel) return
  if (document.activeElement === document.body) panel.focus()
  else if ((panel.getRootNode() as ShadowRoot).activeElement === panel) firstField(panel)?.focus()
}

/** Tab goes from the last element to the first, and back. */
function keepInside(event: KeyboardEvent, panel: HTMLElement | null): void {
  const all = focusableIn(panel)
  const [first, last] = [all[0], all.at(-1)]
  const active = (panel?.getRootNode() as ShadowRoot | undefined)?.activeElement
  const [edge, next] = event.shiftKey ? [first, last] : [last, first]
  if (active !== edge && active !== panel) return
  event.preventDefault()
  next?.focus()
}

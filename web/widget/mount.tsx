/** @jsxImportSource preact */
/** Puts a chat into a page, in a shadow root that no style crosses. */
import { render } from 'preact'
import { voice } from '../chat/speech/voice.ts'
import type { Options } from './options.ts'
import { Session } from './session.ts'
import { STYLE } from './style.ts'
import { buildVariables } from './theme.ts'
import { Bubble } from './views/Bubble.tsx'
import { Chat } from './views/Chat.tsx'

export interface Mounted {
  open(): void
  close(): void
  unmount(): void
}

let sheet: CSSStyleSheet | undefined

/** Styles that a script adopts need no leave of the page's Content-Security-Policy. */
function sharedSheet(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet()
    sheet.replaceSync(STYLE)
  }
  return sheet
}

/** `place` puts the element of the chat into the page: an inline chat fills what it stands in, a bubble floats above it. */
export function mountChat(place: (host: Element) => void, options: Options): Mounted {
  const host = document.createElement('div')
  host.dataset.heddle = ''
  host.dataset.mode = options.mode
  host.dataset.theme = options.theme
  host.dataset.position = options.position
  const root = host.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [sharedSheet()]
  place(host)

  const session = new Session(options)
  let isOpen = false
  let isLoaded = false
  const { title } = options
  const load = () => {
    if (!isLoaded) void session.load()
    isLoaded = true
  }
  function draw(): void {
    if (options.mode === 'inline') render(<Chat session={session} title={title} />, root)
    else render(<Bubble session={session} title={title} isOpen={isOpen} onToggle={toggle} />, root)
  }
  function toggle(shouldOpen: boolean): void {
    isOpen = shouldOpen
    if (!isOpen) voice.stop()
    if (isOpen && session.state.loadError) isLoaded = false
    load()
    draw()
  }
  const end = session.subscribe(() => {
    const { settings } = session.state
    if (!settings) return
    for (const [name, value] of Object.entries(buildVariables(settings.look))) host.style.setProperty(name, value)
    end()
  })
  load()
  draw()
  return {
    open: () => toggle(true),
    close: () => toggle(false),
    unmount() {
      session.close()
      render(null, root)
      host.remove()
    },
  }
}

/**
 * The script of the widget: `<script src="…/widget.js" data-flow="ID">` puts a chat into the page, and `window.Heddle`
 * lets the page's own code do so.
 */
import { type Mounted, mountChat } from './mount.tsx'
import { completeOptions, type GivenOptions } from './options.ts'

interface Heddle {
  /** Opens the bubble. */
  open(): void
  close(): void
  /** Puts an inline chat into the element, unless the options say otherwise. */
  mount(element: Element, options: GivenOptions): Mounted
}

declare global {
  interface Window {
    Heddle?: Heddle
  }
}

const script = document.currentScript as HTMLScriptElement | null
/** A build for an API elsewhere calls that, any other the server that the script comes from. */
const scriptApi =
  import.meta.env.VITE_API_BASE_URL?.replace(/\/$/, '') || (script ? new URL(script.src).origin : location.origin)

let bubble: Mounted | undefined

type WidgetOptions = Partial<Record<string, unknown>>

function mount(place: (host: Element) => void, given: WidgetOptions): Mounted {
  const options = completeOptions(given, scriptApi)
  if (options.mode === 'inline') return mountChat(place, options)
  bubble?.unmount()
  bubble = mountChat((host) => document.body.append(host), options)
  return bubble
}

window.Heddle = {
  open: () => bubble?.open(),
  close: () => bubble?.close(),
  mount: (element, options) => mount((host) => element.append(host), { mode: 'inline', ...options }),
}

/** Inline, the chat stands in the element of `data-target`, or where the script does. */
function mountByScript(element: HTMLScriptElement): void {
  const { target, ...given } = element.dataset
  try {
    const parent = target ? document.querySelector(target) : undefined
    if (parent === null) throw new Error(`data-target is “${target}”, but the page has no such element`)
    if (parent) mount((host) => parent.append(host), given)
    else if (document.head.contains(element)) mount((host) => document.body.append(host), given)
    else mount((host) => element.after(host), given)
  } catch (error) {
    console.error(`[Heddle] ${error instanceof Error ? error.message : error}`)
  }
}

if (script?.dataset.flow !== undefined) {
  if (document.body) mountByScript(script)
  else document.addEventListener('DOMContentLoaded', () => mountByScript(script))
}

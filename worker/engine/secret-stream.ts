/** Keeps secrets out of what a run says while it says it, also where a secret arrives in pieces. */
import type { RunEvent } from '#contract/runs/events.ts'
import type { Redactor } from './redactor.ts'

type Emit = (event: RunEvent) => void

/**
 * Returns `emit` for events without secrets. A text that may be the beginning of one waits for what follows. Secrets that
 * are added meanwhile count from then on.
 */
export function withoutSecrets(emit: Emit, secrets: Redactor): Emit {
  const held = { token: '', thinking: '' }
  const say = (event: RunEvent & { event: keyof typeof held }, isLast: boolean) => {
    const text = held[event.event] + event.data
    const shown = isLast ? text.length : text.length - secrets.openEnd(text)
    held[event.event] = text.slice(shown)
    const data = secrets.redact(text.slice(0, shown))
    if (data !== '' || 'duration' in event) emit({ ...event, data })
  }
  return (event) => {
    if (secrets.isEmpty()) return emit(event)
    if (event.event === 'token') return say(event, false)
    if (event.event === 'thinking') return say(event, event.duration !== undefined)
    if (event.event === 'agentFlowEvent' && event.data !== 'INPROGRESS') {
      if (held.thinking !== '') say({ event: 'thinking', data: '' }, true)
      if (held.token !== '') say({ event: 'token', data: '' }, true)
    }
    emit(secrets.redact(event))
  }
}

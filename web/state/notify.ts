/**
 * Toasts: `notify.success('Saved')`. At most three are shown at once, errors stay until dismissed, and duplicates
 * are dropped.
 */
import { proxy } from 'valtio/vanilla'

type NotificationKind = 'success' | 'error' | 'info'

interface NotificationAction {
  label: string
  run(): void
}

export interface Notification {
  key: string
  message: string
  /** Secondary text: the reason or the next step. */
  detail?: string
  kind: NotificationKind
  options: { persist: boolean; autoHideDuration: number }
  /** An action such as `{ label: 'Undo', run }`. */
  action?: NotificationAction
  /** Closed by the user or by time. It leaves the queue after its exit animation. */
  dismissed: boolean
}

const MAX_SHOWN = 3
const AUTO_HIDE_MS = 5000

export const notifications = proxy<{ queue: Notification[] }>({ queue: [] })

let lastKey = 0

interface EnqueueOptions {
  kind?: NotificationKind
  persist?: boolean
  autoHideDuration?: number
  detail?: string
  action?: NotificationAction
}

/** Adds a toast and returns its key, or the key of an equal toast in the queue. */
export function enqueue(message: string, options: EnqueueOptions = {}): string {
  const { kind = 'info', persist = false, autoHideDuration = AUTO_HIDE_MS, detail, action } = options
  const same = notifications.queue.find(
    (n) => !n.dismissed && n.message === message && n.detail === detail && n.kind === kind,
  )
  if (same) return same.key
  lastKey += 1
  const key = `toast-${lastKey}`
  notifications.queue.push({
    key,
    message,
    detail,
    kind,
    options: { persist, autoHideDuration },
    action,
    dismissed: false,
  })
  return key
}

/** Dismisses one toast, or all of them when no key is given. */
export function close(key?: string): void {
  for (const notification of notifications.queue) {
    if (key === undefined || notification.key === key) notification.dismissed = true
  }
}

/** Removes a toast from the queue. */
export function remove(key: string): void {
  notifications.queue = notifications.queue.filter((notification) => notification.key !== key)
}

/** Returns the visible toasts: the three oldest, including those that are fading out. */
export function visibleNotifications(queue: readonly Notification[]): readonly Notification[] {
  return queue.slice(0, MAX_SHOWN)
}

export const notify = {
  success: (message: string, action?: NotificationAction) => enqueue(message, { kind: 'success', action }),
  error: (message: string, detail?: string) => enqueue(message, { kind: 'error', persist: true, detail }),
  info: (message: string) => enqueue(message, { kind: 'info' }),
}

import { beforeEach, describe, expect, it } from 'vitest'
import { close, enqueue, notifications, notify, remove, visibleNotifications } from './notify.ts'

const messages = () => visibleNotifications(notifications.queue).map((n) => n.message)

describe('notifications', () => {
  beforeEach(() => {
    notifications.queue = []
  })

  it('hides successes after five seconds and keeps errors until dismissed', () => {
    notify.success('Saved')
    notify.error('Could not save')
    expect(notifications.queue.map((n) => n.options)).toEqual([
      { persist: false, autoHideDuration: 5000 },
      { persist: true, autoHideDuration: 5000 },
    ])
  })

  it('shows at most three toasts and the next one when one is removed', () => {
    const keys = ['one', 'two', 'three', 'four'].map(notify.info)
    expect(messages()).toEqual(['one', 'two', 'three'])
    remove(keys[0] ?? '')
    expect(messages()).toEqual(['two', 'three', 'four'])
  })

  it('shows the same message again only after it was dismissed', () => {
    const first = notify.error('Offline')
    expect(notify.error('Offline')).toBe(first)
    expect(notifications.queue).toHaveLength(1)
    close(first)
    expect(notify.error('Offline')).not.toBe(first)
  })

  it('closes one toast or all', () => {
    const key = enqueue('a')
    enqueue('b')
    close(key)
    expect(notifications.queue.map((n) => n.dismissed)).toEqual([true, false])
    close()
    expect(notifications.queue.every((n) => n.dismissed)).toBe(true)
  })
})

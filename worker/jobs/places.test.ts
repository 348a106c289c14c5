/** Who waits for a place, and when it may begin. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { givePlaces, hasPlace, inPlace, MAX_PLACES_OF_ONE, noteWaiting, sharePlaces, takeWaiting } from './places.ts'

/** Gives places back, by their ids. */
let open: Map<string, () => Promise<void>>
beforeEach(() => {
  open = new Map()
})
afterEach(async () => {
  await giveBack(...open.keys())
  takeWaiting()
})

function hold(workspaceId: string, count: number): void {
  for (let number = 0; number < count; number++) {
    const id = `${workspaceId} ${number}`
    const ended = Promise.withResolvers<void>()
    const work = inPlace(id, workspaceId, () => ended.promise)
    open.set(id, async () => {
      ended.resolve()
      await work
    })
  }
}

async function giveBack(...ids: string[]): Promise<void> {
  for (const id of ids) {
    await open.get(id)?.()
    open.delete(id)
  }
}
const idsOf = (workspaceId: string, count: number) =>
  Array.from({ length: count }, (_, number) => `${workspaceId} ${number}`)

describe('a workspace', () => {
  it('gets half of all places, and another one the others', () => {
    hold('one', MAX_PLACES_OF_ONE)
    expect(sharePlaces()).toEqual({ full: ['one'], count: MAX_PLACES_OF_ONE })
    expect([hasPlace('new', 'one'), hasPlace('new', 'two'), hasPlace('one 0', 'one')]).toEqual([false, true, true])
  })

  it('that was full goes on once it has a few places, whoever else is full', async () => {
    hold('one', MAX_PLACES_OF_ONE)
    hold('two', MAX_PLACES_OF_ONE)
    noteWaiting(['one'])
    await giveBack(...idsOf('two', 8), ...idsOf('one', 7))
    expect(takeWaiting()).toBe(false)
    await giveBack('one 7')
    expect([takeWaiting(), takeWaiting()]).toEqual([true, false])
  })

  it('goes on once half of what a full one leaves is free', async () => {
    hold('one', MAX_PLACES_OF_ONE + 6)
    hold('two', MAX_PLACES_OF_ONE - 6)
    noteWaiting()
    await giveBack(...idsOf('two', 28))
    expect(takeWaiting()).toBe(false)
    await giveBack('two 28')
    expect([takeWaiting(), takeWaiting()]).toEqual([true, false])
  })
})

describe('whoever gives places away', () => {
  it('does it alone, and leaves nobody waiting', async () => {
    const given = Promise.withResolvers<void>()
    const first = givePlaces(() => given.promise)
    const second = vi.fn()
    await givePlaces(second)
    expect([second.mock.calls.length, takeWaiting()]).toEqual([0, false])
    given.resolve()
    await first
    expect(takeWaiting()).toBe(true)
    await givePlaces(second)
    expect(second).toHaveBeenCalledOnce()
  })

  it('keeps nobody from it for long when it is cut off', async () => {
    vi.useFakeTimers()
    const cutOff = Promise.withResolvers<void>()
    const first = givePlaces(() => cutOff.promise)
    noteWaiting()
    vi.advanceTimersByTime(10_000)
    expect(takeWaiting()).toBe(true)
    vi.useRealTimers()
    cutOff.resolve()
    await first
  })
})

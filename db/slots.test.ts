import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openSlots } from './slots.ts'

type Slot = Awaited<ReturnType<ReturnType<typeof openSlots>['take']>>

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const open = (bounds = {}) => openSlots({ max: 2, waitMs: 1_000, holdMs: 500, ...bounds }, () => new Error('too long'))

it('slots are taken at once while there are some, then in order by each caller', async () => {
  const slots = open()
  const [first, second] = [slots.take('a') as Slot, slots.take('a') as Slot]
  const order: string[] = []
  const taken = async (name: string) => {
    const slot = await slots.take('a')
    order.push(name)
    return slot
  }
  const third = taken('third')
  const fourth = taken('fourth')
  slots.give(second)
  const slot = await third
  expect(order).toEqual(['third'])
  slots.give(slot)
  await fourth
  slots.give(first)
  expect(order).toEqual(['third', 'fourth'])
})

it('a slot that nobody gives back is free again after its time', async () => {
  const slots = open()
  slots.take('a')
  slots.take('a')
  const third = slots.take('a')
  await vi.advanceTimersByTimeAsync(600)
  expect((await third).until).toBeGreaterThan(Date.now())
})

it('a request that waits too long is refused', async () => {
  const slots = open({ max: 1, holdMs: 10_000 })
  slots.take('a')
  const refused = expect(slots.take('a')).rejects.toThrow('too long')
  await vi.advanceTimersByTimeAsync(1_100)
  await refused
})

it('a slot that is given twice frees one place', () => {
  const slots = open({ max: 1 })
  const slot = slots.take('a') as Slot
  slots.give(slot)
  slots.give(slot)
  expect(slots.take('a')).not.toBeInstanceOf(Promise)
  expect(slots.take('a')).toBeInstanceOf(Promise)
})

it('a caller with a hundred waiting requests is served in turn with the others', async () => {
  const slots = open({ max: 1 })
  const held = slots.take('busy') as Slot
  const order: string[] = []
  const serve = async (caller: string, name: string) => {
    const slot = await slots.take(caller)
    order.push(name)
    slots.give(slot)
  }
  const busy = Array.from({ length: 100 }, (_, index) => serve('busy', `busy ${index}`))
  const others = [serve('second', 'second 0'), serve('third', 'third 0'), serve('third', 'third 1')]
  expect(slots.count()).toEqual({ inFlight: 1, waiting: 103 })
  slots.give(held)
  await Promise.all([...busy, ...others])
  expect(order.slice(0, 6)).toEqual(['busy 0', 'second 0', 'third 0', 'busy 1', 'third 1', 'busy 2'])
  expect(order).toHaveLength(103)
  expect(slots.count().waiting).toBe(0)
})

it('a request that gave up leaves no place in the round', async () => {
  const slots = open({ max: 1, holdMs: 10_000 })
  const held = slots.take('a') as Slot
  const refused = expect(slots.take('gone')).rejects.toThrow('too long')
  await vi.advanceTimersByTimeAsync(1_100)
  await refused
  slots.give(held)
  expect(slots.count().waiting).toBe(0)
  expect(slots.take('b')).not.toBeInstanceOf(Promise)
})

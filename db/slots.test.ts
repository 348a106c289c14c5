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

it('slots are taken at once while there are some, then in order', async () => {
  const slots = open()
  const [first, second] = [slots.take() as Slot, slots.take() as Slot]
  const order: string[] = []
  const taken = async (name: string) => {
    const slot = await slots.take()
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
  slots.take()
  slots.take()
  const third = slots.take()
  await vi.advanceTimersByTimeAsync(600)
  expect((await third).until).toBeGreaterThan(Date.now())
})

it('a request that waits too long is refused', async () => {
  const slots = open({ max: 1, holdMs: 10_000 })
  slots.take()
  const refused = expect(slots.take()).rejects.toThrow('too long')
  await vi.advanceTimersByTimeAsync(1_100)
  await refused
})

it('a slot that is given twice frees one place', () => {
  const slots = open({ max: 1 })
  const slot = slots.take() as Slot
  slots.give(slot)
  slots.give(slot)
  expect(slots.take()).not.toBeInstanceOf(Promise)
  expect(slots.take()).toBeInstanceOf(Promise)
})

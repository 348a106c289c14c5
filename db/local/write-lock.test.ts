import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createWriteLock } from './write-lock.ts'

const WRITER = { abort() {} }

it('grants turns in order and skips callers that gave up', async () => {
  const lock = createWriteLock({ waitMs: 1_000, turnMs: 1_000 })
  const order: number[] = []
  const first = await lock.take(WRITER)
  const others = [1, 2, 3].map(async (number) => {
    const end = await lock.take(WRITER)
    order.push(number)
    end()
  })
  expect(order).toEqual([])
  first()
  await Promise.all(others)
  expect(order).toEqual([1, 2, 3])
})

it('ends the wait of others with SQLITE_BUSY when a turn is not returned', async () => {
  const lock = createWriteLock({ waitMs: 5, turnMs: 1_000 })
  const end = await lock.take(WRITER)
  await expect(lock.take(WRITER)).rejects.toMatchObject({ code: 'SQLITE_BUSY' })
  end()
  expect(await lock.take(WRITER)).toBeTypeOf('function')
})

it('takes a turn that lasts too long from its writer once another waits', async () => {
  const lock = createWriteLock({ waitMs: 1_000, turnMs: 5 })
  const writer = {
    aborted: false,
    abort() {
      this.aborted = true
      end()
    },
  }
  const end = await lock.take(writer)
  await setTimeout(20)
  expect(writer.aborted).toBe(false)
  const next = await lock.take(WRITER)
  expect(writer.aborted).toBe(true)
  next()
})

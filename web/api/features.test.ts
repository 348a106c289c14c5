import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from './errors.ts'
import { loadFeatures } from './features.ts'

const list = { features: [], categories: {} }

/** A server that fails with these statuses, then responds. */
function failing(...statuses: number[]) {
  const get = vi.fn(async () => {
    const status = statuses.shift()
    if (status !== undefined) throw new ApiError(status, {})
    return list as never
  })
  return { get }
}

describe('the feature list', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it.each([[[]], [[0]], [[500, 0]]])('loads after the failures %j', async (statuses) => {
    const client = failing(...statuses)
    const loading = loadFeatures(client)
    await vi.runAllTimersAsync()
    expect(await loading).toEqual(list)
    expect(client.get).toHaveBeenCalledTimes(statuses.length + 1)
  })

  it('waits one second, then two, and fails after the second retry', async () => {
    const client = failing(500, 500, 500, 500)
    const loading = loadFeatures(client).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(999)
    expect(client.get).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(client.get).toHaveBeenCalledTimes(2)
    await vi.advanceTimersByTimeAsync(1999)
    expect(client.get).toHaveBeenCalledTimes(2)
    await vi.advanceTimersByTimeAsync(1)
    expect(client.get).toHaveBeenCalledTimes(3)
    expect(await loading).toMatchObject({ status: 500 })
  })

  it.each([401, 403, 404])('does not retry after %d', async (status) => {
    const client = failing(status)
    await expect(loadFeatures(client)).rejects.toMatchObject({ status })
    expect(client.get).toHaveBeenCalledOnce()
  })
})

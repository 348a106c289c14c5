/** Calls to measure, and how they are measured. */
import { median } from './table.ts'

/** Posts JSON; throws when the answer is not 2xx. */
export async function post(url: string, body: object): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text.slice(0, 500)}`)
  return JSON.parse(text)
}

/** Milliseconds until the promise resolves. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

/** Milliseconds of each call, medians. They are made turn by turn, so that a busy moment of the machine meets all. */
export async function inTurn(
  calls: (() => Promise<unknown>)[],
  { warm, runs }: { warm: number; runs: number },
): Promise<number[]> {
  const times: number[][] = calls.map(() => [])
  for (let run = 0; run < warm + runs; run++) {
    for (const [index, call] of calls.entries()) {
      const milliseconds = await timed(call)
      if (run >= warm) times[index]?.push(milliseconds)
    }
  }
  return times.map(median)
}

interface Load {
  /** Milliseconds of each call. */
  times: number[]
  perSecond: number
}

/** Makes `count` calls, `atOnce` of them under way at any time. */
export async function load(
  call: () => Promise<unknown>,
  { count, atOnce }: { count: number; atOnce: number },
): Promise<Load> {
  const times: number[] = []
  let left = count
  const begin = performance.now()
  const caller = async () => {
    while (left-- > 0) times.push(await timed(call))
  }
  await Promise.all(Array.from({ length: atOnce }, caller))
  return { times, perSecond: (1000 * count) / (performance.now() - begin) }
}

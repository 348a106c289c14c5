// @defends function-keeps-thread
/** What custom functions may take from everybody else: each a second of computing, in turns, and all together a budget. */
import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import type { Egress } from '../types.ts'
import { createBudget } from './budget.ts'
import { createSandboxes, DEFAULT_LIMITS } from './index.ts'

const compiled = WebAssembly.compile(readFileSync(new URL('./quickjs.wasm', import.meta.url)))
const egress = {} as Egress
const FREE = { ...DEFAULT_LIMITS, cpuMsPerMinute: Number.POSITIVE_INFINITY }
const open = (limits: Partial<typeof DEFAULT_LIMITS> = {}) => createSandboxes(() => compiled, { ...FREE, ...limits })
const run = (code: string, sandboxes = open()) => sandboxes.open(egress, 'w').run({ code, globals: {} })

/** Built-ins that touch much and loop little in the function itself. */
const bombs: [what: string, code: string][] = [
  ['split and join', 'let s="a".repeat(1e6);for(;;)s=s.split("a").join("a")'],
  ['replaceAll', 'let n=0;for(;;)n+="a".repeat(1e6).replaceAll("a","b").length'],
  ['a search', 'const s="a".repeat(4e6);let n=0;for(;;)n+=s.indexOf("ab")'],
  ['a search for a long text', 'const s="a".repeat(4e6),p="a".repeat(2e6)+"b";let n=0;for(;;)n+=s.includes(p)'],
  ['filling', 'const u=new Uint8Array(1e7);for(let i=0;;i++)u.fill(i)'],
  ['sorting numbers', 'const u=new Float64Array(1e6);for(;;){u.reverse();u.sort()}'],
  ['upper case', 'const s="ß".repeat(2e6);let n=0;for(;;)n+=s.toUpperCase().length'],
  ['comparing', 'const s="\\u00e9".repeat(1e6);let n=0;for(;;)n+=s.localeCompare(s)'],
  ['JSON', 'const o=Array(1e5).fill({a:1});let n=0;for(;;)n+=JSON.stringify(o).length'],
  ['parsing', 'const t=JSON.stringify(Array(1e5).fill(1));for(;;)JSON.parse(t)'],
  ['lists', 'const a=Array(1e5).fill(0);let n=0;for(;;)n+=a.concat(a).length'],
  ['sets', 'const a=Array.from({length:1e5},(_,i)=>i);for(;;)new Set(a)'],
  ['large numbers', 'let a=2n**500000n;for(;;)a=(a*a)%(2n**500000n-1n)'],
  ['the digits of a large number', 'return (2n**900000n).toString().length'],
  ['a regular expression', 'return /a*b/.test("a".repeat(300000))'],
  ['the length of a list', 'return Array(2**32-1).join("x").length'],
]

/** CPU milliseconds of this thread. */
async function cpuOf(work: Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage()
  await work.catch(() => {})
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** A tenth of the real ones, since fuel and time are counted in the same way. */
const SHORT = { cpuMs: DEFAULT_LIMITS.cpuMs / 10, fuel: DEFAULT_LIMITS.fuel / 10 }

/** How many times the CPU time of an empty loop a function may take, under the same limits. */
const MOST_TIMES = 6
const empty = 'for(;;);'

describe.each(bombs)('a function of %s', (_, code) => {
  it('computes no longer than its limit', async () => {
    const limits = { ...SHORT, fuel: Number.MAX_SAFE_INTEGER }
    const ordinary = await cpuOf(run(empty, open(limits)))
    const work = run(code, open(limits))
    expect(await cpuOf(work)).toBeLessThan(MOST_TIMES * ordinary)
    await expect(work).rejects.toThrow('Custom function ran too long')
  })

  it('has fuel for as long where the clock stands still, and lets others have their turn before it ends', async () => {
    const limits = { ...SHORT, cpuMs: Number.POSITIVE_INFINITY }
    const ordinary = await cpuOf(run(empty, open(limits)))
    const order: string[] = []
    const work = run(code, open(limits))
    const cpu = cpuOf(work.finally(() => order.push('function')))
    while (order.length < 3) {
      await new Promise((resolve) => setTimeout(resolve, 0))
      order.push('other')
    }
    expect(await cpu).toBeLessThan(MOST_TIMES * ordinary)
    expect(order).toEqual(['other', 'other', 'other', 'function'])
    await expect(work).rejects.toThrow('Custom function ran too long')
  })
})

describe('the budget of a workspace', () => {
  it('ends when its functions have computed for it, and says when they run again', async () => {
    const sandboxes = open({ cpuMsPerMinute: 100, cpuMs: 150 })
    await expect(run('for(;;);', sandboxes)).rejects.toThrow('ran too long')
    await expect(run('return 1', sandboxes)).rejects.toThrow(
      /have used their 0\.1 seconds of CPU time of this minute\. They run again in \d+ seconds\./,
    )
    const { value } = await sandboxes.open(egress, 'another').run({ code: 'return 1', globals: {} })
    expect(value).toBe(1)
  })

  it('counts fuel where the clock stands still', async () => {
    const sandboxes = open({ cpuMsPerMinute: 100, fuel: 50_000_000, cpuMs: Number.POSITIVE_INFINITY })
    await expect(run('for(;;);', sandboxes)).rejects.toThrow('ran too long')
    await expect(run('return 1', sandboxes)).rejects.toThrow('They run again in')
  })

  /** What all isolates know, as the database does. */
  function startLedger() {
    const used = new Map<string, number>()
    const reports: number[] = []
    const countCpu = async (workspaceId: string, ms: number) => {
      reports.push(ms)
      used.set(workspaceId, (used.get(workspaceId) ?? 0) + ms)
      return { used: used.get(workspaceId) ?? 0, secondsLeft: 42 }
    }
    return { reports, countCpu }
  }

  it('is that of all isolates together', async () => {
    const { countCpu } = startLedger()
    const [one, other] = [createBudget(500, { countCpu }), createBudget(500, { countCpu })]
    await one.spend('w', 300)
    expect(one.secondsToWait('w')).toBe(0)
    await other.spend('w', 300)
    expect(other.secondsToWait('w')).toBe(42)
    expect(other.secondsToWait('another')).toBe(0)
    // The first one learns of it with what it reports next.
    await one.spend('w', 250)
    expect(one.secondsToWait('w')).toBe(42)
  })

  it('costs a call for many short functions together, and none for one', async () => {
    const { countCpu, reports } = startLedger()
    const budget = createBudget(1000, { countCpu })
    for (let i = 0; i < 24; i++) await budget.spend('w', 10)
    expect(reports).toEqual([])
    await budget.spend('w', 10)
    expect(reports).toEqual([250])
  })

  it('is that of the isolate while the others cannot be asked', async () => {
    const silence = vi.spyOn(console, 'error').mockImplementation(() => {})
    const budget = createBudget(1000, { countCpu: () => Promise.reject(new Error('away')) })
    await budget.spend('w', 900)
    expect(budget.secondsToWait('w')).toBe(0)
    await budget.spend('w', 100)
    expect(budget.secondsToWait('w')).toBeGreaterThan(0)
    silence.mockRestore()
  })

  it('is whole again after a minute', () => {
    let now = 0
    const budget = createBudget(1000, { now: () => now })
    void budget.spend('w', 600)
    expect(budget.secondsToWait('w')).toBe(0)
    now = 20_000
    void budget.spend('w', 600)
    expect(budget.secondsToWait('w')).toBe(40)
    expect(budget.secondsToWait('another')).toBe(0)
    now = 60_000
    expect(budget.secondsToWait('w')).toBe(0)
  })
})

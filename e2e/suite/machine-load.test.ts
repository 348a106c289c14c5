import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { coresOfOthers, parseOwnSeconds, readProcessorTime } from './machine-load.ts'

describe('the processor time of others', () => {
  it('is what the machine used and this process did not', () => {
    const before = { machine: 100, own: 10, at: 5 }
    expect(coresOfOthers(before, { machine: 118, own: 22, at: 15 })).toBeCloseTo(0.6)
  })

  it('is never less than nothing, although the two are not read at one moment', () => {
    const before = { machine: 100, own: 10, at: 5 }
    expect(coresOfOthers(before, { machine: 101, own: 12, at: 6 })).toBe(0)
  })

  it('is read past a name with spaces and parentheses', () => {
    const stat = '4242 (node (a) b) S 1 4242 4242 0 -1 4194304 900 800 0 0 150 50 300 100 20 0 11 0'
    expect(parseOwnSeconds(stat)).toBe(6)
  })
})

describe.runIf(readProcessorTime())('the processor time of this machine', () => {
  it('counts a child that has ended as own', () => {
    const own = () => readProcessorTime()?.own ?? 0
    const before = own()
    spawnSync(process.execPath, ['-e', 'while (process.cpuUsage().user < 400_000);'])
    expect(own() - before).toBeGreaterThan(0.3)
  })
})

import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { coresOfOthers, parseOwnSeconds, readProcessorTime } from './machine-load.ts'

/** Adds for about a tenth of a second without a call of the system, which some machines make slow, and prints the microseconds used. */
const ADD_AND_TELL_USAGE = `
let sum = 0
for (let n = 0; n < 1e8; n++) sum = (sum + n) | 0
const { user, system } = process.cpuUsage()
console.log(user + system)`

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
    const { stdout } = spawnSync(process.execPath, ['-e', ADD_AND_TELL_USAGE], { encoding: 'utf8' })
    const usedByChild = Number(stdout) / 1e6
    expect(usedByChild).toBeGreaterThan(0.05)
    // Each side rounds to hundredths of a second.
    expect(own() - before).toBeGreaterThan(usedByChild - 0.03)
  })
})

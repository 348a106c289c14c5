/** How much of the machine other programs use while a stage runs: a limit of time says nothing about tests that had to wait for them. */
import { existsSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'

/** Seconds of processor time since the machine, or this process, started. */
interface ProcessorTime {
  /** All programs together. */
  machine: number
  /** This process and its children that have ended, and theirs. */
  own: number
  /** Seconds on a clock. */
  at: number
}

const OWN_FILE = '/proc/self/stat'
/** Linux counts in hundredths of a second there, on every architecture. */
const TICKS_PER_SECOND = 100

/** Sums user and system time, of itself and of its children, from the text of `/proc/self/stat`. */
export function parseOwnSeconds(stat: string): number {
  // The name of the program, in parentheses, may hold spaces. The state follows it as the third field.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return ticks / TICKS_PER_SECOND
}

/** Returns undefined where a system does not count the time of children. */
export function readProcessorTime(): ProcessorTime | undefined {
  if (!existsSync(OWN_FILE)) return undefined
  const machineMs = cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0)
  return {
    machine: machineMs / 1000,
    own: parseOwnSeconds(readFileSync(OWN_FILE, 'utf8')),
    at: performance.now() / 1000,
  }
}

/** Returns how many cores other programs kept busy between two readings, on average. */
export function coresOfOthers(before: ProcessorTime, after: ProcessorTime): number {
  const others = after.machine - before.machine - (after.own - before.own)
  return Math.max(0, others / (after.at - before.at))
}

/** The processes of this machine, as Linux lists them in /proc. */
import { readdirSync, readFileSync } from 'node:fs'

/** Ticks of a second in /proc, the same on every Linux. */
const TICKS = 100

/** The processes that `pid` has begun, and those that these have, itself not included. */
export function processesBelow(pid: number): number[] {
  const parents = new Map(
    readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [[Number(name), parentOf(name)]] : [])),
  )
  const isBelow = (process: number | undefined): boolean => {
    const parent = process === undefined ? undefined : parents.get(process)
    return parent === pid || (parent !== undefined && isBelow(parent))
  }
  return [...parents.keys()].filter(isBelow)
}

/** Processor time of a process since it began, its ended children not included. */
export function cpuSeconds(pid: number): number {
  const fields = readProcess(`/proc/${pid}/stat`, afterName)
  return fields ? (Number(fields[11]) + Number(fields[12])) / TICKS : 0
}

function parentOf(pid: string): number | undefined {
  return readProcess(`/proc/${pid}/stat`, (text) => Number(afterName(text)[1]))
}

/** A name can hold anything, so fields are counted from behind it. */
const afterName = (text: string) => (text.split(') ').at(-1) ?? '').split(' ')

/** Undefined when the process has ended since it was listed. */
export function readProcess<T>(file: string, parse: (text: string) => T): T | undefined {
  try {
    return parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** Memory of a process and of all that it started, as Linux counts it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'

export const canMeasureMemory = existsSync('/proc/self/smaps_rollup')

/** MiB in memory of the processes below `pid`, itself not included: pages that several share count for each of them. */
export function memoryBelow(pid: number): number {
  const parents = new Map(
    readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [[Number(name), parentOf(name)]] : [])),
  )
  const isBelow = (process: number | undefined): boolean => {
    const parent = process === undefined ? undefined : parents.get(process)
    return parent === pid || (parent !== undefined && isBelow(parent))
  }
  return [...parents.keys()].filter(isBelow).reduce((sum, process) => sum + residentMiB(process), 0)
}

function parentOf(pid: string): number | undefined {
  return read(`/proc/${pid}/stat`, (text) => Number(text.split(') ').at(-1)?.split(' ')[1]))
}

function residentMiB(pid: number): number {
  return read(`/proc/${pid}/status`, (text) => Number(/^VmRSS:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024) ?? 0
}

/** Undefined when the process has ended since it was listed. */
function read<T>(file: string, parse: (text: string) => T): T | undefined {
  try {
    return parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

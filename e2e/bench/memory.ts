/** Memory of a process and of all that it started, as Linux counts it. */
import { existsSync } from 'node:fs'
import { processesBelow, readProcess } from './processes/tree.ts'

export const canMeasureMemory = existsSync('/proc/self/smaps_rollup')

/** MiB. */
export interface Memory {
  all: number
  /** The heaps of its isolates, and what is around them. */
  workerd: number
}

/**
 * Returns the memory of the processes below `pid`, itself not included: pages that several share count for each of them. Pages
 * of a database file do not count, since they are the system's cache of it, which it takes back when it needs room.
 */
export function memoryBelow(pid: number): Memory {
  const memory: Memory = { all: 0, workerd: 0 }
  for (const process of processesBelow(pid)) {
    const resident = residentMiB(process)
    memory.all += resident
    if (nameOf(process) === 'workerd') memory.workerd += resident
  }
  return memory
}

const nameOf = (pid: number) => readProcess(`/proc/${pid}/comm`, (text) => text.trim())

function residentMiB(pid: number): number {
  const all = readProcess(`/proc/${pid}/status`, (text) => Number(/^VmRSS:\s+(\d+)/m.exec(text)?.[1] ?? 0)) ?? 0
  return (all - databaseKiB(pid)) / 1024
}

/** Each mapping begins with its addresses and its file; its resident pages come some lines later. */
function databaseKiB(pid: number): number {
  const mapped = readProcess(`/proc/${pid}/smaps`, (text) => [
    ...text.matchAll(/^[0-9a-f]+-.*\.db\n(?:\w+:.*\n)*?Rss:\s+(\d+)/gm),
  ])
  return (mapped ?? []).reduce((sum, [, kibibytes]) => sum + Number(kibibytes), 0)
}

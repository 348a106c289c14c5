/** CPU time of a product, as Linux counts it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'

export const canMeasureCpu = existsSync('/proc/self/schedstat')

/** Returns the nanoseconds that the workerd processes below this one have computed. */
export function workerdNanoseconds(): number {
  return processesBelow(process.pid)
    .filter((pid) => read(`/proc/${pid}/comm`).trim() === 'workerd')
    .flatMap((pid) => tasksOf(pid).map((task) => Number(read(`/proc/${pid}/task/${task}/schedstat`).split(' ')[0])))
    .reduce((sum, nanoseconds) => sum + nanoseconds, 0)
}

function processesBelow(pid: number): number[] {
  const children = tasksOf(pid).flatMap((task) =>
    read(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
  )
  return [...children, ...children.flatMap(processesBelow)]
}

const tasksOf = (pid: number): string[] => {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

/** Returns nothing of a process that has ended. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Paths name the executions of a node: `agent_0`, its third round `agent_0#2`, in an iteration `agent_0@iteration_1[3]`. */
import type { TraceItem } from './events.ts'

interface StepPath {
  nodeId: string
  round: number
  /** The item of an iteration in which the node ran. */
  within?: { path: string; index: number }
}

/** @param place where the plan runs: empty for the flow itself, else from `itemPlace` */
export function stepPath(nodeId: string, round: number, place = ''): string {
  return `${nodeId}${round > 0 ? `#${round}` : ''}${place}`
}

/** Returns where the children of a container run for one of its items. */
export function itemPlace(containerPath: string, index: number): string {
  return `@${containerPath}[${index}]`
}

/** Returns the place in a path: empty outside of iterations. */
export function placeOfStep(path: string): string {
  const at = path.indexOf('@')
  return at < 0 ? '' : path.slice(at)
}

export function parseStepPath(path: string): StepPath {
  const [, own = path, container, index] = /^([^@]*)@(.+)\[(\d+)\]$/.exec(path) ?? []
  const [nodeId = '', round = '0'] = own.split('#')
  return { nodeId, round: Number(round), ...(container && { within: { path: container, index: Number(index) } }) }
}

/** Returns true for the container's own execution and for everything that ran inside of it. */
export function isWithin(path: string, container: string): boolean {
  for (let inner: string | undefined = path; inner !== undefined; inner = parseStepPath(inner).within?.path) {
    if (inner === container) return true
  }
  return false
}

/** Traces of old runs have no paths, so the n-th occurrence of a node counts as its n-th round. */
export function stepPaths(trace: readonly Pick<TraceItem, 'path' | 'nodeId'>[]): string[] {
  const seen = new Map<string, number>()
  return trace.map(({ path, nodeId }) => {
    if (path !== undefined) return path
    const round = seen.get(nodeId) ?? 0
    seen.set(nodeId, round + 1)
    return stepPath(nodeId, round)
  })
}

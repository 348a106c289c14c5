/** The names of occurrences: `agent_0`, its third round `agent_0#2`, in an iteration `agent_0@iteration_1[3]`. */

/** @param place where the plan runs: empty for the flow itself, else of `placeOf` */
export function pathOf(nodeId: string, round: number, place: string): string {
  return `${nodeId}${round > 0 ? `#${round}` : ''}${place}`
}

/** Where the children of a container run for one of its items. */
export function placeOf(containerPath: string, index: number): string {
  return `@${containerPath}[${index}]`
}

/** The place in a path. */
export function placeIn(path: string): string {
  const at = path.indexOf('@')
  return at < 0 ? '' : path.slice(at)
}

/** Whether an occurrence is this one, or ran inside of it. */
export function isWithin(path: string, container: string): boolean {
  if (path === container) return true
  const around = placeIn(path)
    .slice(1)
    .replace(/\[\d+\]$/, '')
  return around !== '' && isWithin(around, container)
}

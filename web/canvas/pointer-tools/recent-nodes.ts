/** The node types that were added last, in this browser. */

const KEY = 'heddle.recent-nodes'
const MAX_RECENT = 5

export function recentNodes(): string[] {
  try {
    const names: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
  } catch {
    return []
  }
}

export function noteRecentNode(name: string): void {
  localStorage.setItem(
    KEY,
    JSON.stringify([name, ...recentNodes().filter((each) => each !== name)].slice(0, MAX_RECENT)),
  )
}

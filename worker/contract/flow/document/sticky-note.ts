import type { NodeData } from './document.ts'

/** Returns true for notes on the canvas, which never run and have no connections. */
export function isStickyNote(data: Pick<NodeData, 'type' | 'name'>): boolean {
  return data.type === 'StickyNote' || data.name.startsWith('stickyNote')
}

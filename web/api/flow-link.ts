/** Links to the pages of flows, which are facts of their kinds. */
import type { FlowType } from '#contract/flow/flow-types.ts'
import { CANVAS_TYPES, type CanvasFlowType, KIND_FACTS } from '#contract/flow/kinds/facts.ts'

/** Returns the link to a flow's canvas, for `<Link>` and `navigate`; without an id, to the canvas of a new flow. */
export function flowLink(type: CanvasFlowType, id?: string) {
  return { to: KIND_FACTS[type].pages.flow, params: id === undefined ? {} : { id } }
}

/** Returns the link to the page of a stored flow; undefined for types without one. */
export function flowPage(type: FlowType, id: string) {
  const to = KIND_FACTS[type].pages.flow
  return to === null ? undefined : { to, params: { id } }
}

/** Returns the type and the id (empty: a new flow) that the path of a canvas names; undefined for other pages. */
export function readCanvasPath(path: string): { type: CanvasFlowType; id: string } | undefined {
  for (const type of CANVAS_TYPES) {
    const root = KIND_FACTS[type].pages.flow.replace('{-$id}', '')
    const id = `${path}/`.startsWith(root) ? path.slice(root.length).replace(/\/$/, '') : undefined
    if (id !== undefined && !id.includes('/')) return { type, id }
  }
  return undefined
}

/** Returns the link to the page that lists all flows of this type. */
export const flowListLink = (type: FlowType) => ({ to: KIND_FACTS[type].pages.list })

/** Returns the link to what was said to a flow. */
export const messagesLink = (type: FlowType, id: string) => ({ to: KIND_FACTS[type].pages.messages, params: { id } })

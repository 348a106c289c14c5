/** The pages of each flow type that can be opened. */

const PAGES = {
  AGENTFLOW: { canvas: '/v2/agentcanvas/{-$id}', list: '/agentflows' },
  CHATFLOW: { canvas: '/canvas/{-$id}', list: '/chatflows' },
} as const

export type CanvasFlowType = keyof typeof PAGES

export const hasCanvas = (type: string): type is CanvasFlowType => Object.hasOwn(PAGES, type)

/** Returns the link to a flow's canvas, for `<Link>` and `navigate`; without an id, to the canvas of a new flow. */
export function flowLink(type: CanvasFlowType, id?: string) {
  return { to: PAGES[type].canvas, params: id === undefined ? {} : { id } }
}

/** Returns the link to the page of a stored flow; undefined for types without one. */
export function flowPage(type: string, id: string) {
  if (type === 'ASSISTANT') return { to: '/assistants/custom/$id', params: { id } } as const
  return hasCanvas(type) ? flowLink(type, id) : undefined
}

/** Returns the link to the page that lists all flows of this type. */
export const flowListLink = (type: CanvasFlowType) => ({ to: PAGES[type].list })

/** Returns the link to what was said to a flow. */
export const messagesLink = (type: string, id: string) =>
  ({ to: type === 'AGENTFLOW' ? '/v2/agentcanvas/$id/messages' : '/canvas/$id/messages', params: { id } }) as const

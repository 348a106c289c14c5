/** The canvas of one flow; without `flowId`, of a new one. */
export function AgentCanvasPage({ flowId }: { flowId?: string }) {
  return <h1>{flowId ?? 'New agent flow'}</h1>
}

export function AgentflowsPage() {
  return <h1>AgentflowsPage</h1>
}

import { createFileRoute } from '@tanstack/react-router'
import { areaOf } from '#contract/areas.ts'
import { McpServersPage } from '../../areas/tools/McpServersPage.tsx'
import { ToolsPage } from '../../areas/tools/ToolsPage.tsx'

export const Route = createFileRoute('/_main/tools')({
  staticData: areaOf('/tools'),
  validateSearch: ({ tab }: Record<string, unknown>): { tab?: 'mcp' } => (tab === 'mcp' ? { tab } : {}),
  component: Page,
})

function Page() {
  return Route.useSearch().tab === 'mcp' ? <McpServersPage /> : <ToolsPage />
}

/** Tools of an MCP server that the workspace added under Tools. */
import type { OwnMcpServer } from '../../ports/types.ts'
import { toolDefinition } from '../definition.ts'
import type { LoadContext, ToolType } from '../types.ts'
import { listServerTools } from './list-tools.ts'
import { optionsOf } from './mcp.ts'
import { openActions } from './server-tools.ts'

const LABEL = 'Custom MCP Server'

export const customMcpServer: ToolType = {
  definition: {
    ...toolDefinition({
      label: LABEL,
      name: 'customMcpServerTool',
      type: 'Custom MCP Server Tool',
      version: 1,
      description: 'Tools of an MCP server of this workspace',
      hint: 'Add servers under Tools in the menu. Their headers stay there, encrypted.',
      inputs: [
        { label: 'MCP server', name: 'mcpServerId', type: 'asyncOptions', loadMethod: 'listServers' },
        {
          label: 'Available actions',
          name: 'mcpActions',
          type: 'asyncMultiOptions',
          loadMethod: 'listActions',
          description: 'The server’s tools that the agent can use',
          refresh: true,
        },
      ],
    }),
    category: 'Tools (MCP)',
    baseClasses: ['Tool'],
  },
  loadMethods: {
    listServers: ({ own }) => own.listMcpServers(),
    listActions: async (context) => optionsOf(await listServerTools(await chosenServer(context), context)),
  },
  open: async (context) =>
    openActions(await chosenServer(context), { label: LABEL, actions: context.config.mcpActions }, context),
}

async function chosenServer({ config, own }: Pick<LoadContext, 'config' | 'own'>): Promise<OwnMcpServer> {
  const id = typeof config.mcpServerId === 'string' ? config.mcpServerId : ''
  if (!id) throw new Error(`${LABEL}: choose a server`)
  const server = await own.mcpServer(id)
  if (!server) throw new Error(`${LABEL}: the chosen server no longer exists. Choose another one.`)
  return server
}

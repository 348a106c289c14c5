import { expect, test } from 'vitest'
import { HIDDEN, withoutSecrets } from './secrets.ts'

test('settings that may hold secrets are hidden at any depth, empty and other ones stay', () => {
  const inputs = {
    agentModelConfig: { modelName: 'm', maxTokens: 9, baseOptions: '{"x-key":"s"}', FLOWISE_CREDENTIAL_ID: 'id' },
    agentTools: [
      {
        agentSelectedTool: 'customMCP',
        agentSelectedToolConfig: { mcpServerConfig: '{"url":"s"}', mcpActions: ['a'] },
      },
      {
        agentSelectedTool: 'requestsGet',
        agentSelectedToolConfig: { requestsGetHeaders: '{"a":"s"}', requestsGetUrl: 'u' },
      },
      { agentSelectedTool: 'openAPIToolkit', agentSelectedToolConfig: { headers: '', openApiLink: 'l' } },
    ],
    toolInputArgs: { apiKey: 's', password: 's', query: 'q' },
  }
  expect(withoutSecrets(inputs)).toEqual({
    agentModelConfig: { modelName: 'm', maxTokens: 9, baseOptions: HIDDEN },
    agentTools: [
      { agentSelectedTool: 'customMCP', agentSelectedToolConfig: { mcpServerConfig: HIDDEN, mcpActions: ['a'] } },
      {
        agentSelectedTool: 'requestsGet',
        agentSelectedToolConfig: { requestsGetHeaders: HIDDEN, requestsGetUrl: 'u' },
      },
      { agentSelectedTool: 'openAPIToolkit', agentSelectedToolConfig: { headers: '', openApiLink: 'l' } },
    ],
    toolInputArgs: { apiKey: HIDDEN, password: HIDDEN, query: 'q' },
  })
})

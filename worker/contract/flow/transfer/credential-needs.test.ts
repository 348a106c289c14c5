import { expect, it } from 'vitest'
import { componentDefinitions } from '../../../nodes/catalogue.ts'
import { drawFlow } from '../document/draw.ts'
import { agentflow } from '../kinds/agentflow/kind.ts'
import { AGENT, START } from '../kinds/agentflow/nodes.ts'
import { credentialNeeds, withCredentials } from './credential-needs.ts'

const components = componentDefinitions()

const flow = drawFlow(
  {
    parts: [
      { name: START },
      {
        name: AGENT,
        label: 'Clerk',
        inputs: {
          agentModel: 'chatOpenAI',
          agentModelConfig: { agentModel: 'chatOpenAI', modelName: 'gpt' },
          agentTools: [
            { agentSelectedTool: 'calculator' },
            { agentSelectedTool: 'tavilyAPI', agentSelectedToolConfig: { agentSelectedTool: 'tavilyAPI' } },
          ],
        },
      },
    ],
  },
  components,
  agentflow,
)
const needs = credentialNeeds(flow, components)

it('lists the models and tools that need a credential, with their place', () => {
  expect(
    needs.map(({ label, credentialNames, path, isModel }) => [label, credentialNames, path.join('.'), isModel]),
  ).toEqual([
    ['Clerk: OpenAI', ['openAIApi'], 'inputs.agentModelConfig.FLOWISE_CREDENTIAL_ID', true],
    ['Clerk: Tavily API', ['tavilyApi'], 'inputs.agentTools.1.agentSelectedToolConfig.FLOWISE_CREDENTIAL_ID', false],
  ])
})

it('sets the chosen credentials, after which nothing is needed', () => {
  const ready = withCredentials(flow, needs, ['a', 'b'])
  expect(ready.nodes[1]?.data.inputs).toMatchObject({
    agentModelConfig: { modelName: 'gpt', FLOWISE_CREDENTIAL_ID: 'a' },
    agentTools: [{}, { agentSelectedToolConfig: { FLOWISE_CREDENTIAL_ID: 'b' } }],
  })
  expect(credentialNeeds(ready, components)).toEqual([])
  expect(flow.nodes[1]?.data.inputs).not.toMatchObject({ agentModelConfig: { FLOWISE_CREDENTIAL_ID: 'a' } })
})

it('lets the practice model stand in for a model without a credential, and leaves a tool as it is', () => {
  const ready = withCredentials(flow, needs, [undefined, undefined])
  expect(ready.nodes[1]?.data.inputs).toMatchObject({
    agentModel: 'practiceModel',
    agentModelConfig: { agentModel: 'practiceModel' },
  })
  expect(credentialNeeds(ready, components).map(({ label }) => label)).toEqual(['Clerk: Tavily API'])
})

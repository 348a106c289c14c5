import type { KindFacts } from '../kind-facts.ts'

export const agentflowFacts = {
  type: 'AGENTFLOW',
  label: 'Agent flow',
  newName: 'New agent flow',
  fileSuffix: 'Agents',
  isRunnable: true,
  editor: 'canvas',
  permissions: 'agentflows',
  bundleKey: 'AgentFlowV2',
  pages: { list: '/agentflows', flow: '/v2/agentcanvas/{-$id}', messages: '/v2/agentcanvas/$id/messages' },
  template: { type: 'AgentflowV2', framework: 'Langflow' },
  firstComponents: ['startAgentflow', 'agentAgentflow', 'practiceModel'],
  generator: '/agentflowv2-generator/generate',
  fillsStores: false,
  answersAs: 'steps',
} as const satisfies KindFacts

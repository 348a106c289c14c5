import type { FlowType } from '../../../flow-types.ts'
import type { KindFacts } from '../../kind-facts.ts'

export const gardenFacts = {
  // What a line in `FLOW_TYPES` would add.
  type: 'GARDEN' as FlowType,
  label: 'Garden',
  newName: 'New garden',
  fileSuffix: 'Garden',
  isRunnable: true,
  editor: 'canvas',
  permissions: 'agentflows',
  bundleKey: 'AgentFlowV2',
  pages: { list: '/gardens', flow: '/gardens/canvas/{-$id}', messages: '/gardens/$id/messages' },
  template: { type: 'Garden', framework: 'Gardening' },
  firstComponents: ['well'],
  generator: null,
  fillsStores: false,
  answersAs: 'chat',
} as const satisfies KindFacts

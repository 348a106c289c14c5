import type { KindFacts } from '../kind-facts.ts'

export const chatflowFacts = {
  type: 'CHATFLOW',
  label: 'Chat flow',
  newName: 'New chat flow',
  fileSuffix: 'Chatflow',
  isRunnable: true,
  editor: 'canvas',
  permissions: 'chatflows',
  bundleKey: 'ChatFlow',
  pages: { list: '/chatflows', flow: '/canvas/{-$id}', messages: '/canvas/$id/messages' },
  template: { type: 'Chatflow', framework: null },
  firstComponents: ['practiceModel', 'bufferMemory', 'conversationChain'],
  generator: null,
  fillsStores: true,
  answersAs: 'chat',
} as const satisfies KindFacts

/** Agent flows of the first generation. */
export const multiagentFacts = {
  type: 'MULTIAGENT',
  label: 'Older agent flow',
  newName: 'New agent flow',
  fileSuffix: 'Agents',
  isRunnable: false,
  editor: null,
  permissions: 'chatflows',
  bundleKey: 'AgentFlow',
  pages: { list: '/agentflows/unsupported', flow: null, messages: '/canvas/$id/messages' },
  template: null,
  firstComponents: [],
  generator: null,
  fillsStores: false,
  answersAs: 'steps',
} as const satisfies KindFacts

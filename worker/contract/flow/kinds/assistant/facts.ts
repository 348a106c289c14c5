import type { KindFacts } from '../kind-facts.ts'

export const assistantFacts = {
  type: 'ASSISTANT',
  label: 'Assistant',
  newName: 'New assistant',
  fileSuffix: 'Assistant',
  isRunnable: true,
  editor: 'form',
  permissions: 'assistants',
  bundleKey: 'AssistantFlow',
  pages: { list: '/assistants/custom', flow: '/assistants/custom/$id', messages: '/canvas/$id/messages' },
  template: null,
  firstComponents: [],
  generator: null,
  fillsStores: false,
  answersAs: 'steps',
} as const satisfies KindFacts

import type { BundleKey, Choice, ExportKind, ImportedItem, ItemKey } from '#contract/export-import.ts'

/** Labels of the lists in an export file, by importance. */
export const BUNDLE_NAMES: readonly { key: BundleKey; name: string }[] = [
  { key: 'AgentFlowV2', name: 'Agent flows' },
  { key: 'ChatFlow', name: 'Chat flows' },
  { key: 'AgentFlow', name: 'Older agent flows' },
  { key: 'AssistantFlow', name: 'Assistant flows' },
  { key: 'Variable', name: 'Variables' },
  { key: 'ChatMessage', name: 'Chat messages' },
  { key: 'Execution', name: 'Executions' },
  { key: 'AssistantCustom', name: 'Custom assistants' },
  { key: 'AssistantOpenAI', name: 'OpenAI assistants' },
  { key: 'AssistantAzure', name: 'Azure assistants' },
  { key: 'ChatMessageFeedback', name: 'Feedback' },
  { key: 'CustomTemplate', name: 'Templates' },
  { key: 'DocumentStore', name: 'Document stores' },
  { key: 'DocumentStoreFileChunk', name: 'Document store chunks' },
  { key: 'Tool', name: 'Custom tools' },
]

/** Data types that can be exported. */
export const EXPORT_OPTIONS: readonly { kind: ExportKind; name: string; help?: string }[] = [
  { kind: 'agentflowv2', name: 'Agent flows' },
  { kind: 'chatflow', name: 'Chat flows' },
  { kind: 'agentflow', name: 'Older agent flows' },
  { kind: 'assistantCustom', name: 'Custom assistants', help: 'With their flows' },
  { kind: 'assistantOpenAI', name: 'OpenAI assistants' },
  { kind: 'assistantAzure', name: 'Azure assistants' },
  { kind: 'tool', name: 'Custom tools' },
  { kind: 'custom_template', name: 'Templates', help: 'This workspace’s templates' },
  { kind: 'document_store', name: 'Document stores', help: 'With their chunks, without original files' },
  { kind: 'variable', name: 'Variables', help: 'Names only, without values' },
  { kind: 'chat_message', name: 'Chat messages', help: 'Conversations with flows' },
  { kind: 'chat_feedback', name: 'Feedback', help: 'Ratings of answers' },
  { kind: 'execution', name: 'Executions', help: 'Runs with their inputs and outputs' },
]

export const choiceNames = (item: ImportedItem): Record<Choice, string> => ({
  new: item.found === 'none' ? 'Import' : 'Import as a copy',
  replace: 'Replace yours',
  skip: 'Skip',
})

/** What one item is. */
export const ITEM_NAMES: Record<ItemKey, string> = {
  AgentFlowV2: 'Agent flow',
  ChatFlow: 'Chat flow',
  AgentFlow: 'Older agent flow',
  AssistantFlow: 'Assistant flow',
  AssistantCustom: 'Custom assistant',
  AssistantOpenAI: 'OpenAI assistant',
  AssistantAzure: 'Azure assistant',
  CustomTemplate: 'Template',
  DocumentStore: 'Document store',
  Tool: 'Custom tool',
  Variable: 'Variable',
}

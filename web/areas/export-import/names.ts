import type { BundleKey, ExportKind } from '#contract/export-import.ts'

/** What a person calls the lists of a file, in the order in which they matter. */
export const BUNDLE_NAMES: readonly { key: BundleKey; name: string }[] = [
  { key: 'AgentFlowV2', name: 'Agent flows' },
  { key: 'ChatFlow', name: 'Chat flows' },
  { key: 'AgentFlow', name: 'Older agent flows' },
  { key: 'AssistantFlow', name: 'Flows of assistants' },
  { key: 'Variable', name: 'Variables' },
  { key: 'ChatMessage', name: 'Chat messages' },
  { key: 'Execution', name: 'Executions' },
  { key: 'AssistantCustom', name: 'Custom assistants' },
  { key: 'AssistantOpenAI', name: 'OpenAI assistants' },
  { key: 'AssistantAzure', name: 'Azure assistants' },
  { key: 'ChatMessageFeedback', name: 'Feedback' },
  { key: 'CustomTemplate', name: 'Templates' },
  { key: 'DocumentStore', name: 'Document stores' },
  { key: 'DocumentStoreFileChunk', name: 'Chunks of document stores' },
  { key: 'Tool', name: 'Custom tools' },
]

/** What this product has to export. */
export const EXPORTED: readonly { kind: ExportKind; name: string; help?: string }[] = [
  { kind: 'agentflowv2', name: 'Agent flows' },
  { kind: 'chatflow', name: 'Chat flows' },
  { kind: 'agentflow', name: 'Older agent flows' },
  { kind: 'assistantCustom', name: 'Flows of assistants' },
  { kind: 'variable', name: 'Variables', help: 'Their names, without values' },
  { kind: 'chat_message', name: 'Chat messages', help: 'What people said to the flows' },
  { kind: 'chat_feedback', name: 'Feedback', help: 'What people think of the answers' },
  { kind: 'execution', name: 'Executions', help: 'What runs did, with what went in and came out' },
]

import type {
  BundleKey,
  Choice,
  ExportKind,
  FlowKey,
  ImportedItem,
  ItemKey,
} from '#contract/export-import/export-import.ts'
import { factsOf, KIND_FACTS } from '#contract/flow/kinds/facts.ts'

/** Returns the kinds of flows that share a list: `Agent flows`. */
function flowsIn(list: FlowKey): string {
  const labels = Object.values(KIND_FACTS).flatMap(({ bundleKey, label }) => (bundleKey === list ? `${label}s` : []))
  return labels.map((label, index) => (index === 0 ? label : label.toLowerCase())).join(' and ')
}

/** Labels of the lists in an export file, by importance. */
export const BUNDLE_NAMES: readonly { key: BundleKey; name: string }[] = [
  { key: 'AgentFlowV2', name: flowsIn('AgentFlowV2') },
  { key: 'ChatFlow', name: flowsIn('ChatFlow') },
  { key: 'AgentFlow', name: flowsIn('AgentFlow') },
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
  { kind: 'agentflowv2', name: flowsIn('AgentFlowV2') },
  { kind: 'chatflow', name: flowsIn('ChatFlow') },
  { kind: 'agentflow', name: flowsIn('AgentFlow') },
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

/** Returns what one item is. */
export const itemName = ({ key, type }: Pick<ImportedItem, 'key' | 'type'>): string =>
  type ? factsOf(type).label : ITEM_NAMES[key as keyof typeof ITEM_NAMES]

const ITEM_NAMES: Record<Exclude<ItemKey, FlowKey>, string> = {
  AssistantCustom: 'Custom assistant',
  AssistantOpenAI: 'OpenAI assistant',
  AssistantAzure: 'Azure assistant',
  CustomTemplate: 'Template',
  DocumentStore: 'Document store',
  Tool: 'Custom tool',
  Variable: 'Variable',
}

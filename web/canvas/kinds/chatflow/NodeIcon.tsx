import {
  IconArrowsExchange,
  IconBook,
  IconBrain,
  IconCut,
  IconDatabase,
  IconFileText,
  IconFilter,
  IconLink,
  IconListDetails,
  IconMessageCircle,
  IconNotes,
  IconPlug,
  IconQuestionMark,
  IconRobot,
  IconSearch,
  IconShieldCheck,
  IconSparkles,
  IconTool,
  IconVector,
  IconWand,
} from '@tabler/icons-react'
import { useCanvas } from '../../store/context.ts'

const icons: Readonly<Record<string, typeof IconRobot>> = {
  Agents: IconRobot,
  Chains: IconLink,
  'Chat Models': IconSparkles,
  LLMs: IconSparkles,
  Prompts: IconMessageCircle,
  Memory: IconBrain,
  Tools: IconTool,
  'Tools (MCP)': IconPlug,
  'Document Loaders': IconFileText,
  'Text Splitters': IconCut,
  Embeddings: IconVector,
  'Vector Stores': IconDatabase,
  Retrievers: IconSearch,
  'Record Manager': IconNotes,
  'Output Parsers': IconListDetails,
  Moderation: IconShieldCheck,
  Cache: IconArrowsExchange,
  Engine: IconBook,
  'Response Synthesizer': IconFilter,
  Utilities: IconWand,
}

/** The picture of a component's category; a question mark for components that are not known. */
export function NodeIcon({ name, size = 18 }: { name: string; size?: number }) {
  const Icon = icons[useCanvas().definitions.get(name)?.category ?? ''] ?? IconQuestionMark
  return <Icon size={size} aria-hidden />
}

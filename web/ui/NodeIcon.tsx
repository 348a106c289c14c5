import {
  IconArrowsSplit,
  IconFunctionFilled,
  IconLibrary,
  IconMessageCircleFilled,
  IconNote,
  IconPlayerPlayFilled,
  IconQuestionMark,
  IconRelationOneToManyFilled,
  IconRepeat,
  IconReplaceUser,
  IconRobot,
  IconSparkles,
  IconSubtask,
  IconTools,
  IconVectorBezier2,
  IconWorld,
} from '@tabler/icons-react'

const icons: Record<string, typeof IconNote> = {
  startAgentflow: IconPlayerPlayFilled,
  llmAgentflow: IconSparkles,
  agentAgentflow: IconRobot,
  toolAgentflow: IconTools,
  retrieverAgentflow: IconLibrary,
  conditionAgentflow: IconArrowsSplit,
  conditionAgentAgentflow: IconSubtask,
  humanInputAgentflow: IconReplaceUser,
  loopAgentflow: IconRepeat,
  directReplyAgentflow: IconMessageCircleFilled,
  customFunctionAgentflow: IconFunctionFilled,
  httpAgentflow: IconWorld,
  iterationAgentflow: IconRelationOneToManyFilled,
  executeFlowAgentflow: IconVectorBezier2,
  stickyNoteAgentflow: IconNote,
}

/** The picture of a node type; a question mark for types that are not known. */
export function NodeIcon({ name, size = 18 }: { name: string; size?: number }) {
  const Icon = icons[name] ?? IconQuestionMark
  return <Icon size={size} aria-hidden />
}

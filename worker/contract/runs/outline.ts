/**
 * The outline of a run for anonymous callers: steps and their status, texts, names of tools, artifacts, sources and open
 * questions.
 * Flowise's clients read the same fields of the whole trace.
 */

import type { ApiConfig } from '../chatflows/flow-settings.ts'
import { type Approval, outlineAnswer, outlineApproval } from './approvals.ts'
import type { HumanInputAction, RunEvent, StepOutput, TraceItem, UsedTool } from './events.ts'
import { type CitedDocument, documentsIn, withSafeAddresses } from './sources.ts'

/** Returns the whole trace when the flow's `apiConfig` has `{"fullTrace": {"status": true}}`. */
export const showsFullTrace = ({ fullTrace }: ApiConfig): boolean => fullTrace !== undefined

export function outlineItem({ nodeId, nodeLabel, previousNodeIds, status, path, data }: TraceItem): TraceItem {
  // Imported items may lack fields.
  const { id, name, output = {}, answer } = (data as TraceItem['data'] | undefined) ?? { id: nodeId, name: '' }
  return {
    nodeId,
    nodeLabel,
    previousNodeIds,
    status,
    path,
    data: { id, name, output: outlineOutput(output), ...(answer && { answer: outlineAnswer(answer) }) },
  }
}

function outlineOutput({ content, usedTools, artifacts, sourceDocuments, humanInputAction }: StepOutput): StepOutput {
  return {
    ...(content !== undefined && { content }),
    ...(Array.isArray(usedTools) && { usedTools: namesOf(usedTools) }),
    ...(Array.isArray(sourceDocuments) && { sourceDocuments: outlineSources(sourceDocuments) }),
    ...(artifacts && { artifacts }),
    ...(humanInputAction && { humanInputAction: outlineAction(humanInputAction) }),
  }
}

/** Returns the documents of an answer as callers see them. */
export const outlineSources = (documents: unknown): CitedDocument[] =>
  documentsIn(documents).map(outlineDocument).map(withSafeAddresses)

/** Reduces the metadata of a document to where it comes from: callers see nothing else. */
function outlineDocument({ pageContent, metadata }: CitedDocument): CitedDocument {
  const shown = ['source', 'fileName', 'title', 'url', 'page', 'loc'].filter((key) => metadata[key] !== undefined)
  return { pageContent, metadata: Object.fromEntries(shown.map((key) => [key, metadata[key]])) }
}

/** Removes what the steps said, where only the post-processed answer is for callers. */
export function withoutStepTexts(trace: readonly TraceItem[]): TraceItem[] {
  return trace.map((item) => {
    const { content: _, ...output } = item.data.output ?? {}
    return { ...item, data: { ...item.data, output } }
  })
}

/** Removes the conversation from a question, except tool calls that a person must approve. */
export function outlineAction(action: HumanInputAction): HumanInputAction {
  const { nodeId, nodeLabel, path, input } = action.data
  const { humanInputEnableFeedback, toolCalls, approvers, approverRole } = input
  const asked = {
    humanInputEnableFeedback,
    ...(toolCalls !== undefined && { toolCalls }),
    ...(approvers !== undefined && { approvers }),
    ...(approverRole !== undefined && { approverRole }),
  }
  return { ...action, data: { nodeId, nodeLabel, path, input: asked } }
}

/** Returns undefined for fields that anonymous callers must not see. */
export function outlineEvent(event: RunEvent): RunEvent | undefined {
  switch (event.event) {
    case 'agentFlowEvent':
    case 'token':
    case 'artifacts':
    case 'start':
    case 'error':
    case 'end':
    case 'tts_start':
    case 'tts_data':
    case 'tts_end':
    case 'tts_abort':
    case 'tts_error':
      return event
    case 'metadata': {
      const { approvals } = event.data as { approvals?: Approval[] }
      return approvals ? { ...event, data: { ...event.data, approvals: approvals.map(outlineApproval) } } : event
    }
    case 'nextAgentFlow': {
      const { nodeId, nodeLabel, status, path } = event.data
      return { event: 'nextAgentFlow', data: { nodeId, nodeLabel, status, path } }
    }
    case 'agentFlowExecutedData':
      return { event: event.event, data: event.data.map(outlineItem) }
    case 'usedTools':
      return { event: event.event, data: namesOf(event.data) }
    case 'sourceDocuments':
      return { event: event.event, data: outlineSources(event.data) }
    case 'action':
      return { event: event.event, data: outlineAction(event.data) }
    case 'calledTools':
    case 'thinking':
    case 'usageMetadata':
      return undefined
  }
}

const namesOf = (tools: UsedTool[]): UsedTool[] => tools.map(({ tool }) => ({ tool }))

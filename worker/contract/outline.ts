/**
 * What callers that are nobody see of a run: which steps there were and how each ended, what they said, the names of the
 * tools that they used, what they drew, and what a person is asked. Flowise's clients read the same fields of the whole trace.
 */
import type { HumanInputAction, RunEvent, StepOutput, TraceItem, UsedTool } from './events.ts'
import { readApiConfig } from './flow-settings.ts'

/** @param apiConfig the flow's JSON text: its owner shows every run's whole trace with `{"fullTrace": {"status": true}}` */
export const showsFullTrace = (apiConfig: string | null): boolean => readApiConfig(apiConfig).fullTrace !== undefined

export function outlineItem({ nodeId, nodeLabel, previousNodeIds, status, path, data }: TraceItem): TraceItem {
  // Items that were imported may lack what ours have.
  const { id, name, output = {}, answer } = (data as TraceItem['data'] | undefined) ?? { id: nodeId, name: '' }
  return {
    nodeId,
    nodeLabel,
    previousNodeIds,
    status,
    path,
    data: { id, name, output: outlineOutput(output), ...(answer && { answer: { type: answer.type } }) },
  }
}

function outlineOutput({ content, usedTools, artifacts, humanInputAction }: StepOutput): StepOutput {
  return {
    ...(content !== undefined && { content }),
    ...(Array.isArray(usedTools) && { usedTools: namesOf(usedTools) }),
    ...(artifacts && { artifacts }),
    ...(humanInputAction && { humanInputAction: outlineAction(humanInputAction) }),
  }
}

/** The question without the conversation that led to it. Calls that a person is to allow stay: they are the question. */
export function outlineAction(action: HumanInputAction): HumanInputAction {
  const { nodeId, nodeLabel, path, input } = action.data
  const { humanInputEnableFeedback, toolCalls } = input
  const asked = { humanInputEnableFeedback, ...(toolCalls !== undefined && { toolCalls }) }
  return { ...action, data: { nodeId, nodeLabel, path, input: asked } }
}

/** Undefined: it is not for them. */
export function outlineEvent(event: RunEvent): RunEvent | undefined {
  switch (event.event) {
    case 'agentFlowEvent':
    case 'token':
    case 'artifacts':
    case 'metadata':
    case 'error':
    case 'end':
      return event
    case 'nextAgentFlow': {
      const { nodeId, nodeLabel, status, path } = event.data
      return { event: 'nextAgentFlow', data: { nodeId, nodeLabel, status, path } }
    }
    case 'agentFlowExecutedData':
      return { event: event.event, data: event.data.map(outlineItem) }
    case 'usedTools':
      return { event: event.event, data: namesOf(event.data) }
    case 'action':
      return { event: event.event, data: outlineAction(event.data) }
    case 'calledTools':
    case 'thinking':
    case 'usageMetadata':
      return undefined
  }
}

const namesOf = (tools: UsedTool[]): UsedTool[] => tools.map(({ tool }) => ({ tool }))

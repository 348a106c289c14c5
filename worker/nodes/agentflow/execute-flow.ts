import { withoutSecrets } from '#contract/data/secrets.ts'
import type { UsageMetadata } from '#contract/runs/events.ts'
import { subtractUsage } from '#contract/runs/usage.ts'
import { textOf } from '../../inputs/node-inputs.ts'
import { answerTurns } from '../../llm/structured-call.ts'
import type { FlowAnswer } from '../../ports/types.ts'
import { baseUrlParam, readOverrideConfig, refuseOtherServer } from '../../tools/flows/flow-call.ts'
import { agentflowNode } from '../shared/definition.ts'
import { returnResponseParam, updateStateParam } from '../shared/params.ts'
import type { NodeType, StepContext, StepResult } from '../types.ts'

export const executeFlow: NodeType = {
  definition: agentflowNode({
    label: 'Execute Flow',
    name: 'executeFlowAgentflow',
    version: 1.2,
    type: 'ExecuteFlow',
    color: '#a3b18a',
    description: 'Runs another flow in this workspace and passes on its response',
    hint: 'The flow gets its own run and needs no API key. If it pauses for a person, this step asks the same question and forwards the answer. If it fails, this step fails. To call a flow on another server, use an HTTP node.',
    inputs: [
      { label: 'Select flow', name: 'executeFlowSelectedFlow', type: 'asyncOptions', loadMethod: 'listFlows' },
      {
        label: 'Input',
        name: 'executeFlowInput',
        type: 'string',
        description: 'The question sent to the flow',
        rows: 4,
        acceptVariable: true,
      },
      {
        label: 'Override config',
        name: 'executeFlowOverrideConfig',
        type: 'json',
        description: 'Inputs to override in the flow. Only inputs that it allows callers to override.',
        optional: true,
        acceptVariable: true,
      },
      baseUrlParam('executeFlowBaseURL'),
      returnResponseParam('executeFlow'),
      updateStateParam('executeFlowUpdateState'),
    ],
  }),
  run,
}

/** Stored while the called flow waits for a person. */
interface PausedFlow {
  executionId: string
  /** The question in the called flow that the person answers here. */
  actionId?: string
  usage: UsageMetadata
}

async function run(context: StepContext): Promise<StepResult> {
  const { inputs, isLast, emit, answered } = context
  const waiting = answered?.kept as PausedFlow | undefined
  const answer = await ask(context)
  context.charge(waiting ? subtractUsage(answer.usage, waiting.usage) : answer.usage)
  context.signal.throwIfAborted()
  const { text: content, usedTools, artifacts, usage, executionId } = answer
  if (isLast && content) emit({ event: 'token', data: content })
  if (isLast && artifacts) emit({ event: 'artifacts', data: artifacts })
  const shown = {
    input: withoutSecrets(inputs),
    output: {
      content,
      usageMetadata: usage,
      executionId,
      ...(usedTools && { usedTools }),
      ...(artifacts && { artifacts }),
    },
  }
  if (answer.state === 'STOPPED') {
    const asked = answer.action?.data.input
    const kept: PausedFlow = { executionId, actionId: answer.action?.id, usage }
    return { ...shown, wait: { input: { humanInputEnableFeedback: true, ...asked }, kept } }
  }
  return { ...shown, chatHistory: answerTurns(questionTurn(context), { text: content }, context) }
}

async function ask(context: StepContext): Promise<FlowAnswer> {
  const { inputs, flows, signal, answered, barrier, charge, idempotencyKey } = context
  if (answered) {
    const { executionId, actionId } = answered.kept as PausedFlow
    return flows.resume({ executionId, actionId, answer: answered.answer, signal, onFailure: charge })
  }
  const flowId = textOf(inputs.executeFlowSelectedFlow)
  if (!flowId) throw new Error('Select flow: choose a flow')
  refuseOtherServer(inputs.executeFlowBaseURL)
  const overrideConfig = readOverrideConfig(inputs.executeFlowOverrideConfig)
  await barrier()
  return flows.run({
    flowId,
    question: textOf(inputs.executeFlowInput),
    overrideConfig,
    key: `${idempotencyKey}-flow-0`,
    signal,
    onFailure: charge,
  })
}

/** Adds this node's question to the history if no step has written to it yet. */
function questionTurn({ runtimeHistory, inputs }: StepContext) {
  const content = textOf(inputs.executeFlowInput)
  return runtimeHistory.length === 0 && content.trim() !== '' ? [{ role: 'user' as const, content }] : []
}

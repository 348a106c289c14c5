import { withoutSecrets } from '#contract/data/secrets.ts'
import { mediaSupportOf } from '#contract/predictions/uploads.ts'
import { fileArtifact } from '#contract/runs/artifacts.ts'
import { addUsage } from '#contract/runs/usage.ts'
import { shownCall } from '../../llm/agent-loop.ts'
import { toCallerTools } from '../../llm/caller-tools.ts'
import { buildConversation } from '../../llm/memory.ts'
import { modelMessages } from '../../llm/messages.ts'
import { callModel } from '../../llm/model-call.ts'
import { answerTurns, callStructured, responseMetadata, timeMetadata } from '../../llm/structured-call.ts'
import { structuredSchema } from '../../llm/structured-output.ts'
import { agentflowNode } from '../shared/definition.ts'
import {
  memoryParams,
  messagesParam,
  modelParam,
  returnResponseParam,
  structuredOutputParam,
  updateStateParam,
} from '../shared/params.ts'
import type { NodeType, StepContext, StepResult } from '../types.ts'

export const llm: NodeType = {
  definition: agentflowNode({
    label: 'LLM',
    name: 'llmAgentflow',
    version: 1.1,
    type: 'LLM',
    color: '#64B5F6',
    description: 'Calls a language model and passes on its response',
    hint: 'If the response does not match the JSON structured output, the model gets the errors and one more try. Then the step fails.',
    inputs: [
      modelParam('llmModel'),
      messagesParam('llm'),
      ...memoryParams('llm'),
      returnResponseParam('llm'),
      structuredOutputParam('llm'),
      updateStateParam('llmUpdateState'),
    ],
  }),
  run,
}

async function run(context: StepContext): Promise<StepResult> {
  const { inputs, clock, isLast, emit } = context
  const start = clock.now()
  const schema = structuredSchema(inputs.llmStructuredOutput)
  const open = await context.components.model('llmModel')
  const { messages, asked, usage: before } = await buildConversation('llm', open, context)
  if (messages.length === 0)
    throw new Error('There are no messages to send to the model. Add a message or enable memory.')
  const offered = toCallerTools(context, !schema)
  const question = {
    open,
    messages: [...modelMessages(messages, mediaSupportOf(inputs, 'llmModel')), ...offered.messages],
    ...(offered.tools.length > 0 && { tools: offered.tools, toolChoice: offered.choice }),
  }
  const answer = schema
    ? await callStructured({ ...question, schema }, context)
    : await callModel({ ...question, speak: isLast }, context)
  const content = 'text' in answer ? answer.text : JSON.stringify(answer.value, null, 2)
  const handed = 'toolCalls' in answer ? answer.toolCalls.map(shownCall) : []
  const artifacts = 'files' in answer ? answer.files.map(fileArtifact) : []
  const usageMetadata = before ? addUsage(before, answer.usage) : answer.usage
  if (isLast) {
    if (schema) emit({ event: 'token', data: content })
    if (artifacts.length > 0) emit({ event: 'artifacts', data: artifacts })
    emit({ event: 'calledTools', data: handed })
    emit({ event: 'usageMetadata', data: usageMetadata })
  }
  return {
    input: { ...withoutSecrets(inputs), messages },
    output: {
      ...('value' in answer && answer.value),
      content,
      ...(artifacts.length > 0 && { artifacts }),
      timeMetadata: timeMetadata(start, clock.now()),
      calledTools: handed,
      ...(handed.length > 0 && { callerToolCalls: handed }),
      usageMetadata,
      responseMetadata: responseMetadata(open, 'finishReason' in answer ? answer.finishReason : undefined),
      ...('reasoning' in answer &&
        answer.reasoning && {
          reasonContent: { thinking: answer.reasoning, thinkingDuration: answer.reasoningSeconds },
        }),
    },
    chatHistory: answerTurns(asked, { text: content }, context),
  }
}

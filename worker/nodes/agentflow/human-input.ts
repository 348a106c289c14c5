import { askedOf } from '#contract/runs/approvers.ts'
import type { ChatTurn } from '#contract/runs/events.ts'
import { flagOf, textOf } from '../../inputs/node-inputs.ts'
import { modelMessages } from '../../llm/messages.ts'
import { callModel } from '../../llm/model-call.ts'
import { timeMetadata } from '../../llm/structured-call.ts'
import { agentflowNode } from '../shared/definition.ts'
import { approverParams, modelParam } from '../shared/params.ts'
import type { NodeType, StepContext, StepResult } from '../types.ts'

const PROMPT = `You prepare a decision for a person. Write in the language of the conversation:

- one to three sentences about what has been done so far,
- the last message in full, unchanged,
- a question: should the flow continue like this, or should anything change?

Write nothing else.`

export const humanInput: NodeType = {
  definition: agentflowNode({
    label: 'Human Input',
    name: 'humanInputAgentflow',
    version: 1,
    type: 'HumanInput',
    color: '#6E6EFD',
    description: 'Pauses until a person responds',
    hint: 'Other branches keep running until they finish. Then the run waits, for days if needed, and continues on the branch the person chose. Works inside iterations too.',
    inputs: [
      {
        label: 'Description type',
        name: 'humanInputDescriptionType',
        type: 'options',
        options: [
          { label: 'Fixed', name: 'fixed', description: 'A text you write' },
          { label: 'Dynamic', name: 'dynamic', description: 'A model summarizes the conversation' },
        ],
        default: 'fixed',
      },
      {
        label: 'Description',
        name: 'humanInputDescription',
        type: 'string',
        placeholder: 'Do you want to continue?',
        description: 'The question for the person, shown below the latest message',
        optional: true,
        acceptVariable: true,
        rows: 4,
        show: { humanInputDescriptionType: 'fixed' },
      },
      { ...modelParam('humanInputModel'), show: { humanInputDescriptionType: 'dynamic' } },
      {
        label: 'Prompt',
        name: 'humanInputModelPrompt',
        type: 'string',
        description: 'Instructions for the model that writes the question',
        default: PROMPT,
        acceptVariable: true,
        generateInstruction: true,
        rows: 4,
        show: { humanInputDescriptionType: 'dynamic' },
      },
      {
        label: 'Enable feedback',
        name: 'humanInputEnableFeedback',
        type: 'boolean',
        description: 'Allow a comment with the decision',
        default: true,
      },
      ...approverParams('humanInput', 'caller'),
    ],
    outputs: [
      { label: 'Proceed', name: 'proceed' },
      { label: 'Reject', name: 'reject' },
    ],
  }),
  run: async (context) => {
    const { answered } = context
    return answered ? continueWithAnswer(context, answered) : ask(context)
  },
}

type Output = StepResult['output']

/** The question's output, stored until a person answers. */
type PendingQuestion = Pick<Output, 'content' | 'usageMetadata' | 'timeMetadata'>

async function ask(context: StepContext): Promise<StepResult> {
  const { inputs, runtimeHistory, emit } = context
  const isDynamic = inputs.humanInputDescriptionType === 'dynamic'
  const output = isDynamic ? await summary(context) : { content: fixed(context) }
  if (!isDynamic) emit({ event: 'token', data: output.content })
  const humanInputEnableFeedback =
    inputs.humanInputEnableFeedback === undefined || flagOf(inputs.humanInputEnableFeedback)
  const { humanInputApprovers, humanInputApproverRole: role } = inputs
  const asked = askedOf(humanInputApprovers, { role, byDefault: 'caller' })
  const input = { messages: [...runtimeHistory], humanInputEnableFeedback, ...asked }
  return { input, output, wait: { input, kept: output } }
}

/** Returns the last message followed by the question, so that people see what they decide on. */
function fixed({ inputs, runtimeHistory }: StepContext): string {
  const question = textOf(inputs.humanInputDescription).trim() || 'Do you want to continue?'
  return [runtimeHistory.at(-1)?.content ?? '', question].filter((text) => text.trim() !== '').join('\n\n')
}

async function summary(context: StepContext): Promise<PendingQuestion & { content: string }> {
  const { inputs, clock, components, runtimeHistory, input, emit } = context
  const start = clock.now()
  const open = await components.model('humanInputModel')
  const said: ChatTurn[] = runtimeHistory.length > 0 ? [...runtimeHistory] : [{ role: 'user', content: input.text }]
  const messages = modelMessages([...said, { role: 'user', content: textOf(inputs.humanInputModelPrompt) || PROMPT }])
  const { text, usage } = await callModel({ open, messages, speak: true }, context)
  emit({ event: 'usageMetadata', data: usage })
  return { content: text, usageMetadata: usage, timeMetadata: timeMetadata(start, clock.now()) }
}

/** Button labels; also the person's message when they leave no comment. */
const BUTTONS = { proceed: 'Proceed', reject: 'Reject' }

function continueWithAnswer(
  { node, runtimeHistory }: StepContext,
  { answer, kept }: NonNullable<StepContext['answered']>,
): StepResult {
  const { type, feedback } = answer
  const asked = kept as PendingQuestion
  const taken = type === 'proceed' ? 0 : 1
  const said: ChatTurn = { role: 'user', content: feedback || BUTTONS[type] }
  const conditions = (['proceed', 'reject'] as const).map((side, index) => ({
    type: side,
    startNodeId: node.id,
    ...(feedback && { feedback }),
    isFulfilled: index === taken,
  }))
  const question: ChatTurn = { role: 'assistant', content: asked.content ?? '' }
  return {
    input: { ...answer, startNodeId: node.id, messages: [...runtimeHistory, said] },
    output: { ...asked, content: feedback || type, conditions },
    // The person's turn comes last, because some models reject a conversation that ends with an assistant message.
    chatHistory: [question, said],
    takenOutputs: [taken],
  }
}

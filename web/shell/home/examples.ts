/** Small flows to try, all on the practice model. */
import type { Drawing } from '#contract/flow/document/draw.ts'
import { withPracticeModel } from '#contract/flow/practice-model.ts'

export interface Example {
  name: string
  text: string
  /** What to send first. */
  question: string
  drawing: Drawing
}

export const EXAMPLES: Example[] = [
  {
    name: 'Agent with tools',
    text: 'An agent calculates and tells the time.',
    question: 'What is 12 * 7?',
    drawing: {
      parts: [
        { name: 'startAgentflow' },
        {
          name: 'agentAgentflow',
          label: 'Assistant',
          inputs: {
            ...withPracticeModel('agentModel'),
            agentTools: ['calculator', 'currentDateTime'].map((tool) => ({
              agentSelectedTool: tool,
              agentSelectedToolConfig: { agentSelectedTool: tool },
              agentSelectedToolRequiresHumanInput: false,
            })),
          },
        },
      ],
    },
  },
  {
    name: 'Approval before sending',
    text: 'A model drafts a reply, and you decide whether it goes out.',
    question: 'Write to a customer whose parcel is late.',
    drawing: {
      parts: [
        { name: 'startAgentflow' },
        { name: 'llmAgentflow', label: 'Draft', inputs: withPracticeModel('llmModel') },
        {
          name: 'humanInputAgentflow',
          label: 'Review',
          inputs: { humanInputDescriptionType: 'fixed', humanInputDescription: 'Send this reply?' },
        },
        {
          name: 'directReplyAgentflow',
          label: 'Sent',
          inputs: { directReplyMessage: 'Sent: {{ llmAgentflow_0 }}' },
          at: [1000, 120],
        },
        {
          name: 'directReplyAgentflow',
          label: 'Held back',
          inputs: { directReplyMessage: 'The reply was not sent.' },
          at: [1000, 280],
        },
      ],
      links: [
        [0, 1],
        [1, 2],
        [2, 3, 0],
        [2, 4, 1],
      ],
    },
  },
  {
    name: 'Sort requests',
    text: 'Refunds take one branch, everything else another.',
    question: 'I want a refund for my order.',
    drawing: {
      parts: [
        { name: 'startAgentflow' },
        {
          name: 'conditionAgentflow',
          label: 'Refund?',
          inputs: {
            conditions: [{ type: 'string', value1: '{{ question }}', operation: 'contains', value2: 'refund' }],
          },
        },
        {
          name: 'directReplyAgentflow',
          label: 'Refund team',
          inputs: { directReplyMessage: 'Passed to the refund team: {{ question }}' },
          at: [700, 120],
        },
        {
          name: 'llmAgentflow',
          label: 'Answer',
          inputs: withPracticeModel('llmModel'),
          at: [700, 280],
        },
      ],
      links: [
        [0, 1],
        [1, 2, 0],
        [1, 3, 1],
      ],
    },
  },
]

import { expect, it } from 'vitest'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { generateSchema } from '#contract/generator.ts'
import { modelOf, requestOf } from './proposal.ts'

const flow: FlowDocument = {
  nodes: [
    {
      id: 'llm_0',
      type: 'agentFlow',
      position: { x: 0, y: 0 },
      data: {
        id: 'llm_0',
        name: 'llm',
        label: 'LLM 0',
        inputs: {
          llmModel: 'chatOpenAI',
          llmModelConfig: { llmModel: 'chatOpenAI', modelName: 'small', FLOWISE_CREDENTIAL_ID: 'c' },
        },
      },
    },
  ],
  edges: [],
}

it('offers the model that the flow uses, and sends its credential beside its inputs', () => {
  const choice = modelOf(flow)
  const request = requestOf({ question: 'Sort mails', choice, present: null })
  expect(request).toEqual({
    question: 'Sort mails',
    selectedChatModel: { name: 'chatOpenAI', inputs: { modelName: 'small' }, credential: 'c' },
  })
  expect(generateSchema.safeParse(request).success).toBe(true)
})

it('sends the present flow when it is to be changed', () => {
  const request = requestOf({ question: 'More', choice: modelOf(flow), present: flow })
  expect(JSON.parse(request.flowData ?? '')).toMatchObject({ nodes: [{ id: 'llm_0' }] })
})

it('offers no model for a flow that uses none', () => expect(modelOf({ nodes: [], edges: [] })).toEqual({}))

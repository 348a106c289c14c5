import { describe, expect, it } from 'vitest'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { PRACTICE_MODEL } from '#contract/flow/practice-model.ts'
import { generateSchema } from '#contract/generator/generator.ts'
import { buildRequest, findModel, firstModel } from './proposal.ts'

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
  const choice = findModel(flow)
  const request = buildRequest({ question: 'Sort mails', choice, present: null })
  expect(request).toEqual({
    question: 'Sort mails',
    selectedChatModel: { name: 'chatOpenAI', inputs: { modelName: 'small' }, credential: 'c' },
  })
  expect(generateSchema.safeParse(request).success).toBe(true)
})

it('sends the present flow when it is to be changed', () => {
  const request = buildRequest({ question: 'More', choice: findModel(flow), present: flow })
  expect(JSON.parse(request.flowData ?? '')).toMatchObject({ nodes: [{ id: 'llm_0' }] })
})

it('offers no model for a flow that uses none', () => expect(findModel({ nodes: [], edges: [] })).toEqual({}))

describe('the model that designs', () => {
  const model = (name: string, credentialName?: string) =>
    ({
      name,
      category: 'Chat Models',
      inputs: [],
      ...(credentialName && { credential: { credentialNames: [credentialName] } }),
    }) as unknown as ComponentDefinition
  const models = [model(PRACTICE_MODEL), model('large', 'paidApi'), model('other', 'otherApi')]
  const components = new Map(models.map((each) => [each.name, each]))
  const keys = (...names: string[]) => names.map((credentialName) => ({ id: `my ${credentialName}`, credentialName }))
  const practice = structuredClone(flow)
  Object.assign(practice.nodes[0]?.data.inputs ?? {}, {
    llmModel: PRACTICE_MODEL,
    llmModelConfig: { llmModel: PRACTICE_MODEL },
  })
  const large = { model: 'large', modelConfig: { model: 'large', FLOWISE_CREDENTIAL_ID: 'my paidApi' } }

  it.each([
    ['the one that the flow uses', flow, keys('paidApi'), findModel(flow)],
    ['that of the only credential in place of the practice model', practice, keys('paidApi'), large],
    [
      'the practice model that the flow uses, when several would do',
      practice,
      keys('paidApi', 'otherApi'),
      findModel(practice),
    ],
  ])('is %s', (_, drawn, credentials, expected) => {
    expect(firstModel(drawn, { components, credentials }, { isNew: false })).toEqual(expected)
  })

  it.each([
    ['that of the only credential that fits one', keys('paidApi', 'searchApi'), large],
    ['left to the person when several would do', keys('paidApi', 'otherApi'), {}],
    ['left to the person in place of the practice model', keys('searchApi'), {}],
  ])('chooses the model %s for a new flow', (_, credentials, expected) => {
    expect(firstModel(practice, { components, credentials }, { isNew: true })).toEqual(expected)
  })
})

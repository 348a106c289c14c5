import { describe, expect, it } from 'vitest'
import { customDetailsSchema, readCustomDetails, toAgentInputs, withChoices } from './details.ts'

const flowise = {
  name: 'Helper',
  chatModel: {
    id: 'chatOpenAI_0',
    name: 'chatOpenAI',
    label: 'ChatOpenAI',
    inputs: { temperature: 0.2 },
    credential: 'c1',
  },
  instruction: 'Be brief.',
  flowId: 'f1',
  documentStores: [{ id: 's1', description: 'Handbook' }],
  tools: [
    { name: 'calculator', inputs: {} },
    { name: 'googleCustomSearch', inputs: { a: 1 }, credential: 'c2' },
  ],
}
const read = (details: object) => customDetailsSchema.parse(details)

describe('the Agent node of an assistant', () => {
  it('has the model, the instructions and the tools of a file of Flowise', () => {
    expect(toAgentInputs(read(flowise))).toEqual({
      agentModel: 'chatOpenAI',
      agentModelConfig: { temperature: 0.2, FLOWISE_CREDENTIAL_ID: 'c1', agentModel: 'chatOpenAI' },
      agentMessages: [{ role: 'system', content: 'Be brief.' }],
      agentTools: [
        {
          agentSelectedTool: 'calculator',
          agentSelectedToolConfig: { agentSelectedTool: 'calculator' },
          agentSelectedToolRequiresHumanInput: false,
        },
        {
          agentSelectedTool: 'googleCustomSearch',
          agentSelectedToolConfig: { a: 1, FLOWISE_CREDENTIAL_ID: 'c2', agentSelectedTool: 'googleCustomSearch' },
          agentSelectedToolRequiresHumanInput: false,
        },
      ],
      agentKnowledgeDocumentStores: [
        { documentStore: 's1', docStoreDescription: 'Handbook', returnSourceDocuments: false },
      ],
    })
  })

  it.each([[{}], [{ chatModel: {} }], [{ chatModel: null }], [{ chatModel: { name: '' } }]])(
    'has the practice model and no empty message with %j',
    (details) => {
      expect(toAgentInputs(read({ name: 'a', ...details }))).toMatchObject({
        agentModel: 'practiceModel',
        agentMessages: [],
      })
    },
  )
})

describe('the form of an assistant', () => {
  const details = read(flowise)

  it('names the chosen document stores, and leaves out rows without one', () => {
    const row = { documentStore: 's2:Rules: 2027', docStoreDescription: 'The rules', returnSourceDocuments: true }
    const inputs = { agentKnowledgeDocumentStores: [row, { documentStore: '' }, null] }
    const { documentStores } = withChoices(details, { ...toAgentInputs(details), ...inputs })
    expect(documentStores).toEqual([
      { id: 's2', name: 'Rules: 2027', description: 'The rules', returnSourceDocuments: true },
    ])
    expect(toAgentInputs({ ...details, documentStores }).agentKnowledgeDocumentStores).toEqual([row])
  })

  it('changes nothing by being opened and saved', () => {
    const saved = JSON.parse(JSON.stringify(withChoices(details, toAgentInputs(details))))
    expect(saved).toEqual({
      ...JSON.parse(JSON.stringify(details)),
      tools: flowise.tools.map((tool) => ({ ...tool, requiresHumanInput: false })),
      documentStores: [{ id: 's1', description: 'Handbook', returnSourceDocuments: false }],
    })
  })

  it('drops the credential and the settings of the model before, and rows without a tool', () => {
    const inputs = {
      agentModel: 'practiceModel',
      agentModelConfig: { agentModel: 'practiceModel' },
      agentTools: [{ agentSelectedTool: '' }],
    }
    const { chatModel, tools } = JSON.parse(JSON.stringify(withChoices(details, inputs)))
    expect([chatModel, tools]).toEqual([{ name: 'practiceModel', inputs: {} }, []])
  })

  it('asks a person before a tool that is marked', () => {
    const tool = { agentSelectedTool: 'calculator', agentSelectedToolRequiresHumanInput: true }
    const changed = withChoices(details, { ...toAgentInputs(details), agentTools: [tool] })
    expect(toAgentInputs(changed).agentTools).toMatchObject([{ agentSelectedToolRequiresHumanInput: true }])
  })
})

it.each(['', 'x', '[]', '{"tools":5}', '{"name":"  "}'])('stored details %j still have a name', (text) => {
  expect(readCustomDetails(text).name).toBe('Assistant')
})

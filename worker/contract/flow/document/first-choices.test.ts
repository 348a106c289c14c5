import { describe, expect, it } from 'vitest'
import { agentflow } from '../kinds/agentflow/kind.ts'
import { agentNode, http, llm } from '../kinds/agentflow/testing/flows.ts'
import type { ComponentDefinition } from '../params/definition.ts'
import { createNode } from './create.ts'
import { withFirstChoices } from './first-choices.ts'

const credential = (name: string, optional = false) => ({
  credential: { label: 'Key', name: 'credential', type: 'credential', credentialNames: [name], optional },
})
const model = (name: string, more: Partial<ComponentDefinition> = {}) =>
  agentNode(name, name, {
    name,
    category: 'Chat Models',
    inputs: [{ label: 'Model name', name: 'modelName', type: 'string', default: `${name}-1` }],
    ...more,
  })

const free = model('free')
const paid = model('paid', credential('paidApi'))
const custom = model('custom', credential('paidApi', true))
const other = model('other', credential('otherApi'))
const search = agentNode('search', 'Search', credential('searchApi'))

function chosen(definition: ComponentDefinition, ...credentialNames: string[]) {
  const components = new Map([llm, http, search, free, paid, custom, other].map((each) => [each.name, each]))
  const node = createNode(definition, { nodes: [], position: { x: 0, y: 0 } }, agentflow)
  const credentials = credentialNames.map((credentialName, index) => ({
    id: `${credentialName}-${index}`,
    credentialName,
  }))
  return withFirstChoices(node, { components, credentials }).data
}

describe('the model of a new node', () => {
  it('needs no key as long as no credential fits a model', () => {
    const { inputs } = chosen(llm, 'searchApi')
    expect(inputs).toMatchObject({ llmModel: 'free', llmModelConfig: { modelName: 'free-1', llmModel: 'free' } })
    expect(inputs?.llmModelConfig).not.toHaveProperty('FLOWISE_CREDENTIAL_ID')
  })

  it('is that of the only credential that fits a model, with the credential', () => {
    expect(chosen(llm, 'searchApi', 'paidApi').inputs).toMatchObject({
      llmModel: 'paid',
      llmModelConfig: { modelName: 'paid-1', llmModel: 'paid', FLOWISE_CREDENTIAL_ID: 'paidApi-1' },
    })
  })

  it.each([[['paidApi', 'otherApi']], [['paidApi', 'paidApi']]])('is left to the person with %s', (names) => {
    expect(chosen(llm, ...names).inputs).toMatchObject({ llmModel: '' })
  })
})

describe('the credential of a new node', () => {
  it('is the only one that fits', () => {
    expect(chosen(search, 'searchApi', 'paidApi').credential).toBe('searchApi-0')
  })

  it('is left to the person when several fit, or none', () => {
    expect(chosen(search, 'searchApi', 'searchApi').credential).toBe('')
    expect(chosen(search, 'paidApi').credential).toBe('')
  })

  it('is never chosen where none is needed: a request could go anywhere with it', () => {
    expect(chosen(http, 'basic').credential).toBe('')
  })
})

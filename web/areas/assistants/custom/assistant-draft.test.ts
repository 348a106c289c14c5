import { describe, expect, it } from 'vitest'
import { AGENT } from '#contract/flow/kinds/agentflow/nodes.ts'
import { readCustomDetails, toAgentInputs } from '#contract/flow/kinds/assistant/details.ts'
import { detailsOf, fieldsOf, problemsOf, withVersion } from './assistant-draft.ts'

const stored = readCustomDetails(
  JSON.stringify({
    name: 'Helper',
    instruction: 'Be brief.',
    documentStores: [{ id: 's' }],
    more: 1,
    starterPrompts: ['A', 'B'],
  }),
)

describe('the fields of an assistant', () => {
  it('say what is stored, and keep what they do not show', () => {
    const fields = fieldsOf(stored)
    expect(fields).toMatchObject({ name: 'Helper', starters: 'A\nB', inputs: { instruction: 'Be brief.' } })
    expect(detailsOf(fields, stored)).toMatchObject({
      documentStores: [{ id: 's' }],
      more: 1,
      starterPrompts: ['A', 'B'],
    })
  })

  it('take what a version says, and keep their name and starter questions', () => {
    const before = { ...stored, name: 'Old', instruction: 'Be long.', documentStores: [], starterPrompts: ['C'] }
    const old = { ...before, chatModel: { name: 'practiceModel', inputs: { answer: 'Yes' } } }
    const data = { id: 'agentAgentflow_0', name: AGENT, label: 'Assistant', inputs: toAgentInputs(old) }
    const flowData = JSON.stringify({
      nodes: [{ id: data.id, type: 'agentFlow', position: { x: 0, y: 0 }, data }],
      edges: [],
    })
    const fields = withVersion(fieldsOf(stored), flowData)
    expect(detailsOf(fields, stored)).toMatchObject({
      ...{ name: 'Helper', starterPrompts: ['A', 'B'], more: 1 },
      ...{
        instruction: 'Be long.',
        documentStores: [],
        chatModel: { name: 'practiceModel', inputs: { answer: 'Yes' } },
      },
    })
    expect(() => withVersion(fields, '{"nodes":[],"edges":[]}')).toThrow('can’t be read')
  })

  it('lose the spaces around names and starter questions', () => {
    expect(detailsOf({ ...fieldsOf(stored), name: ' Guide ', starters: ' One \n\n Two' }, stored)).toMatchObject({
      name: 'Guide',
      starterPrompts: ['One', 'Two'],
    })
  })

  it.each([
    [{ name: ' ' }, { name: 'Enter a name.' }],
    [{ starters: '1\n2\n3\n4\n5' }, { starters: 'Enter at most 4 questions.' }],
    [{ starters: 'a'.repeat(501) }, { starters: 'A question may have 500 characters.' }],
    [{}, {}],
  ])('with %j have the problems %j', (change, problems) => {
    expect(problemsOf({ ...fieldsOf(stored), ...change })).toEqual(problems)
  })
})

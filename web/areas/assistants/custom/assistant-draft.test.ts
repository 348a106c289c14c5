import { describe, expect, it } from 'vitest'
import { readCustomDetails } from '#contract/flow/kinds/assistant/details.ts'
import { detailsOf, fieldsOf, problemsOf } from './assistant-draft.ts'

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

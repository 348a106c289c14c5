import { expect, it } from 'vitest'
import { agentflowKind } from '../canvas/kinds/agentflow/index.ts'
import { hasChanges, nameByQuestion, newDraft } from './draft.ts'

it.each([
  ['Which cloth is warm?', 'Which cloth is warm?'],
  ['\n  Weave me a scarf  \nin two colours', 'Weave me a scarf'],
  ['x'.repeat(70), `${'x'.repeat(60)}...`],
  ['   ', agentflowKind.flow.newName],
  [undefined, agentflowKind.flow.newName],
])('an untitled flow that is asked %j is called %j', (question, name) => {
  const draft = newDraft([], agentflowKind)
  nameByQuestion(draft, question)
  expect(draft.state.name).toBe(name)
  expect(hasChanges(draft)).toBe(name !== agentflowKind.flow.newName)
})

it('a flow that somebody has named keeps its name', () => {
  const draft = newDraft([], agentflowKind)
  draft.state.name = 'Weaver'
  nameByQuestion(draft, 'Which cloth is warm?')
  expect(draft.state.name).toBe('Weaver')
})

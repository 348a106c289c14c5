import { describe, expect, it } from 'vitest'
import { chipParts, namedText } from './reference-names.ts'

const names = new Map([
  ['llmAgentflow_0', 'Writer'],
  ['agentAgentflow_1', ''],
  ['llmChain_0', 'Chain'],
])

describe('the name of a reference', () => {
  it.each([
    ['{{llmAgentflow_0}}', 'Writer'],
    ['{{ llmAgentflow_0 }}', 'Writer'],
    ['{{llmAgentflow_0.output.city}}', 'Writer: city'],
    ['{{llmAgentflow_0.output.items[0]}}', 'Writer: items.0'],
    ['{{llmChain_0.data.instance}}', 'Chain'],
    ['{{llmChain_0.data.instance.city}}', 'Chain: city'],
    ['{{agentAgentflow_1}}', 'agentAgentflow_1'],
    ['{{question}}', 'Question'],
    ['{{$flow.state.city}}', 'State: city'],
    ['{{$flow.sessionId}}', 'Session ID'],
    ['{{$form.name}}', 'Form: name'],
    ['{{$webhook.body.issue.title}}', 'Webhook: body.issue.title'],
    ['{{$vars.region}}', 'Variable: region'],
    ['{{$iteration}}', 'Current item'],
    ['{{output.text}}', 'Output: text'],
  ])('%s is read as %s', (text, name) => expect(chipParts(text, names)).toEqual([{ name, gone: false }]))

  it('a reference to a node that is gone keeps its id and is marked', () => {
    expect(chipParts('a {{llmAgentflow_7.output}}', names)).toEqual(['a ', { name: 'llmAgentflow_7', gone: true }])
  })

  it.each(['{{name}}', '{{constructor}}', '{{ not a path! }}', '{{}}'])('%s stays text', (text) =>
    expect(chipParts(text, names).join('')).toBe(text),
  )
})

it.each([
  ['{{llmAgentflow_0}} contains 42', 'Writer contains 42'],
  ['no braces', 'no braces'],
  ['<p>{{ question }} now</p>', 'Question now'],
])('%s reads as %s', (text, read) => expect(namedText(text, names)).toBe(read))

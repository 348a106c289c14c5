import { describe, expect, it } from 'vitest'
import { matchingOptions, nameOf } from './offered-options.ts'

const options = [
  { label: 'gpt-5.2', name: 'gpt-5.2' },
  { label: 'Writer', name: 'llmAgentflow_0-Writer' },
]

describe('options with custom values', () => {
  it('match the typed text in label or name', () => {
    expect(matchingOptions(options, ' GPT').map(({ label }) => label)).toEqual(['gpt-5.2'])
    expect(matchingOptions(options, 'llmagent').map(({ label }) => label)).toEqual(['Writer'])
    expect(matchingOptions(options, '')).toHaveLength(2)
  })

  it('store the name for a label and other text as typed', () => {
    expect(nameOf(options, 'Writer')).toBe('llmAgentflow_0-Writer')
    expect(nameOf(options, 'gpt-9-preview')).toBe('gpt-9-preview')
    expect(nameOf(options, '')).toBe('')
  })
})

import { describe, expect, it } from 'vitest'
import type { Assistant } from '#contract/assistants.ts'
import { checkProvider, detailsOf, fieldsOf } from './provider-form.ts'

const details = {
  id: 'asst_1',
  name: 'Tutor',
  model: 'gpt-4o',
  instructions: 'Teach.',
  temperature: 0.5,
  tools: [
    { type: 'file_search', file_search: { max_num_results: 5 } },
    { type: 'function', function: { name: 'f' } },
  ],
  tool_resources: { file_search: { vector_store_ids: ['vs_1'] } },
  basepath: 'https://server.example/v1',
}
const stored = { type: 'OPENAI', credential: 'c', details: JSON.stringify(details) } as Assistant

describe('the form of an assistant at a provider', () => {
  it('changes nothing by being opened and saved', () => {
    expect(detailsOf(fieldsOf(stored))).toMatchObject(details)
  })

  it('keeps functions and the settings of a tool, and drops a tool that is not ticked', () => {
    expect(detailsOf({ ...fieldsOf(stored), own: ['code_interpreter'] }).tools).toEqual([
      { type: 'code_interpreter' },
      details.tools[1],
    ])
  })

  it('sends nothing for an empty temperature', () => {
    expect(detailsOf({ ...fieldsOf(stored), temperature: ' ' }).temperature).toBeNull()
  })

  it.each([
    [{ credential: '' }, 'credential'],
    [{ type: 'AZURE' as const, basepath: '' }, 'basepath'],
    [{ model: ' ' }, 'model'],
    [{ temperature: 'hot' }, 'temperature'],
    [{ top_p: '2' }, 'top_p'],
  ])('refuses %j', (change, field) => {
    expect(Object.keys(checkProvider({ ...fieldsOf(stored), ...change }).fields)).toEqual([field])
  })
})

import { describe, expect, it } from 'vitest'
import type { Assistant } from '#contract/assistants/assistants.ts'
import { checkProvider, fieldsOf, functionOf, toDetails } from './provider-form.ts'

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
    expect(toDetails(fieldsOf(stored))).toMatchObject(details)
  })

  it('keeps functions and the settings of a tool, and drops a tool that is not ticked', () => {
    expect(toDetails({ ...fieldsOf(stored), own: ['code_interpreter'] }).tools).toEqual([
      { type: 'code_interpreter' },
      details.tools[1],
    ])
  })

  it('names files of the code interpreter, and keeps those whose names only the provider knows', () => {
    const files = [{ id: 'file-1', filename: 'a.csv' }, { id: 'file-2' }]
    const fields = { ...fieldsOf(stored), own: ['code_interpreter' as const], files }
    const { tool_resources } = toDetails(fields)
    expect(tool_resources).toEqual({ code_interpreter: { file_ids: ['file-1', 'file-2'], files } })
    const again = { ...stored, details: JSON.stringify({ ...details, tool_resources }) }
    expect(fieldsOf(again).files).toEqual(files)
  })

  it('offers a tool of the workspace as a function with its parameters', () => {
    const schema = JSON.stringify([{ property: 'city', description: 'Where', type: 'string', required: true }])
    expect(functionOf({ name: 'weather', description: 'Tells it', schema }).function).toEqual({
      name: 'weather',
      description: 'Tells it',
      parameters: {
        type: 'object',
        properties: { city: { type: 'string', description: 'Where' } },
        required: ['city'],
      },
    })
    expect(toDetails({ ...fieldsOf(stored), functions: [] }).tools.map(({ type }) => type)).toEqual(['file_search'])
  })

  it('sends nothing for an empty temperature', () => {
    expect(toDetails({ ...fieldsOf(stored), temperature: ' ' }).temperature).toBeNull()
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

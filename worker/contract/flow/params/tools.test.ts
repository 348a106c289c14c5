import { expect, it } from 'vitest'
import { reorderTools } from './tools.ts'

it('puts read-like tools first, write-like second, others last, each in their order', () => {
  const tools = [
    'calculator',
    'writeFile',
    'requestsPost',
    'serpAPI',
    'readFile',
    '{{requestsGet_0.data.instance}}',
    'widget',
  ]
  expect(reorderTools(tools, String)).toEqual([
    'readFile',
    '{{requestsGet_0.data.instance}}',
    'writeFile',
    'requestsPost',
    'calculator',
    'serpAPI',
    'widget',
  ])
  expect(tools[0]).toBe('calculator')
})

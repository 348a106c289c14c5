import fc from 'fast-check'
import { expect, it } from 'vitest'
import { agentflow } from '../kinds/agentflow/kind.ts'
import { components } from '../testing/components.ts'
import { checkDocument } from './check-document.ts'
import { flowDocumentSchema } from './document.ts'
import { newDocument } from './draw.ts'

const anchor = { id: 'a', name: 'output', label: 'Output', description: '', type: 'Model' }
const param = { name: 'p', type: 'string', options: [{}], array: [{}], show: {}, hide: {} }
const full = {
  id: 'n',
  type: 'agentFlow',
  position: { x: 1, y: 2 },
  width: 1,
  height: 1,
  parentNode: 'x',
  extent: 'parent',
  selected: true,
  data: {
    id: 'n',
    name: 'node',
    label: 'Node',
    version: 1,
    type: 't',
    category: 'c',
    description: 'd',
    color: '#fff',
    hideInput: true,
    hideOutput: false,
    baseClasses: ['B'],
    inputParams: [param],
    inputAnchors: [{ id: 'i' }],
    inputs: { a: 1 },
    outputAnchors: [anchor],
    outputs: { output: 'o' },
    credential: 'c',
    selected: false,
  },
}
const edge = {
  id: 'e',
  source: 'n',
  target: 'n',
  sourceHandle: 's',
  targetHandle: 't',
  type: 'agentFlow',
  data: { label: '' },
}
const sound = () => ({
  nodes: [structuredClone(full), ...newDocument(agentflow, components).nodes],
  edges: [structuredClone(edge)],
  viewport: { x: 0, y: 0, zoom: 1 },
})

type Place = readonly [holder: Record<string, unknown>, key: string]

/** Every place of a value, from the outside in. */
const placesIn = (value: unknown): Place[] =>
  typeof value === 'object' && value !== null
    ? Object.keys(value).flatMap((key) => {
        const holder = value as Record<string, unknown>
        return [[holder, key] as const, ...placesIn(holder[key])]
      })
    : []

const wrong = fc.constantFrom<unknown>(undefined, null, '', 'text', 0, 1.5, true, [], [1], {}, { x: 1 })

const firstIssue = (value: unknown) => {
  const [issue] = flowDocumentSchema.safeParse(value).error?.issues ?? []
  return issue && { path: issue.path.map(String), message: issue.message }
}

it('accepts what the schema accepts', () => {
  expect(checkDocument(sound())).toBeUndefined()
  expect(firstIssue(sound())).toBeUndefined()
})

it('finds what the schema finds, in the same place and words', () => {
  const places = placesIn(sound()).length
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(places - 1), wrong), { minLength: 1, maxLength: 3 }), (changes) => {
      const flow = sound()
      const all = placesIn(flow)
      for (const [at, value] of changes) {
        const [holder, key] = all[at] as Place
        holder[key] = value
      }
      expect(checkDocument(flow)).toEqual(firstIssue(flow))
    }),
    { numRuns: 2000 },
  )
})

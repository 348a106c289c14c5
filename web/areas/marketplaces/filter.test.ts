import { expect, it } from 'vitest'
import type { GalleryItem } from '#contract/marketplaces/marketplaces.ts'
import { type GalleryFilter, shownTemplates, valuesOf } from './filter.ts'

const item = (templateName: string, more: Partial<GalleryItem> = {}): GalleryItem => ({
  id: templateName,
  templateName,
  description: null,
  badge: '',
  framework: ['Langflow'],
  usecases: [],
  categories: [],
  type: 'AgentflowV2',
  isCustom: false,
  isStarter: false,
  sketch: { width: 0, height: 0, nodes: [], edges: [] },
  updatedDate: null,
  ...more,
})

const all = [
  item('Support triage', { usecases: ['Customer support'], categories: ['HTTP'] }),
  item('Digest', { usecases: ['Operations'], description: 'Posts the news every morning' }),
  item('Ours', { isCustom: true, usecases: ['Operations'] }),
  item('Tool', { isCustom: true, type: 'Tool', framework: [] }),
]
const names = (filter: Partial<GalleryFilter>) =>
  shownTemplates(all, { isCustom: false, text: '', ...filter }).map(({ templateName }) => templateName)

it.each<[string, Partial<GalleryFilter>, string[]]>([
  ['the built-in ones', {}, ['Support triage', 'Digest']],
  ['the custom ones', { isCustom: true }, ['Ours', 'Tool']],
  ['a word of the name', { text: 'TRIAGE' }, ['Support triage']],
  ['words of different places', { text: ' news  digest ' }, ['Digest']],
  ['a kind of step', { text: 'http' }, ['Support triage']],
  ['a use case', { usecase: 'Operations' }, ['Digest']],
  ['a type', { isCustom: true, type: 'Tool' }, ['Tool']],
  ['a framework', { isCustom: true, framework: 'Langflow' }, ['Ours']],
  ['nothing that fits', { text: 'weave' }, []],
])('shows %s', (_, filter, expected) => expect(names(filter)).toEqual(expected))

it('offers each value once, sorted', () => {
  expect(valuesOf(all, ({ usecases }) => usecases)).toEqual(['Customer support', 'Operations'])
})

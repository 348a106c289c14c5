import { expect, it } from 'vitest'
import type { GalleryItem } from '#contract/marketplaces/marketplaces.ts'
import { builtInGallery } from './built-in.ts'
import { fittingTemplates } from './fitting.ts'

const template = (name: string, components: string[], isStarter = false): GalleryItem => ({
  ...{ id: name, templateName: name, description: null, badge: '', framework: [], usecases: [], categories: [] },
  ...{ type: 'AgentflowV2', isCustom: false, isStarter, updatedDate: null },
  sketch: {
    ...{ width: 1, height: 1, edges: [] },
    nodes: components.map((each) => ({ name: each, x: 0, y: 0, width: 1, height: 1 })),
  },
})
const templates = [
  template('First', ['start', 'llm', 'human'], true),
  template('Second', ['start', 'llm', 'iteration'], true),
  template('Third', ['start', 'llm', 'code'], true),
  template('Caller', ['start', 'llm', 'http']),
  template('Everything', ['start', 'llm', 'http', 'tool', 'loop', 'retriever', 'condition']),
  template('Chat', ['chain', 'memory']),
  template('Agent', ['chain', 'calculator', 'memory']),
]
const namesFor = (...flows: { name?: string; components: string[] }[]) =>
  fittingTemplates(
    templates,
    flows.map(({ name = 'Flow', components }) => ({ name, components })),
  ).map(({ templateName }) => templateName)

it('suggested templates are the starter ones in an empty workspace, or beside flows of common steps only', () => {
  expect(namesFor()).toEqual(['First', 'Second', 'Third'])
  expect(namesFor({ components: ['start', 'llm'] })).toEqual(['First', 'Second', 'Third'])
})

it('suggested templates share steps with the flows, the most similar first', () => {
  expect(namesFor({ components: ['start', 'llm', 'http'] })).toEqual(['Caller', 'Everything', 'First'])
  expect(namesFor({ components: ['chain', 'memory'] })).toEqual(['Chat', 'Agent', 'First'])
})

it('suggested templates leave out those that a flow was made from', () => {
  expect(namesFor({ name: 'First', components: ['start', 'llm', 'human'] })).toEqual(['Second', 'Third', 'Caller'])
})

it('suggested templates are chat flows for people who build chat flows', async () => {
  const fitting = fittingTemplates(await builtInGallery(), [
    { name: 'Mine', components: ['conversationChain', 'bufferMemory', 'practiceModel'] },
  ])
  expect(fitting[0]).toMatchObject({ type: 'Chatflow' })
})

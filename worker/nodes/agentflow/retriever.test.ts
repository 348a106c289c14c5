import { expect, test } from 'vitest'
import type { Knowledge } from '../../ports/types.ts'
import { noKnowledge, runStep } from '../testing/steps.ts'
import { retriever } from './retriever.ts'

const inputs = {
  retrieverKnowledgeDocumentStores: [{ documentStore: '1:one' }, { documentStore: '' }, { documentStore: '2:two' }],
}

function library(): { knowledge: Knowledge; asked: string[] } {
  const asked: string[] = []
  let release = () => {}
  const second = new Promise<void>((resolve) => {
    release = resolve
  })
  return {
    asked,
    knowledge: {
      ...noKnowledge,
      async search({ store, query }) {
        asked.push(`${store} ${query}`)
        if (store === '1:one') await second
        else release()
        return [
          { pageContent: `${store} a`, metadata: { source: store } },
          { pageContent: `${store} b`, metadata: {} },
        ]
      },
    },
  }
}

test('a retriever returns the documents of all stores, in the order of the stores', async () => {
  const { knowledge, asked } = library()
  const { result, events } = await runStep(retriever, { ...inputs, retrieverQuery: 'cats' }, { knowledge })
  expect(asked).toEqual(['1:one cats', '2:two cats'])
  expect(result.output.content).toBe('1:one a\n1:one b\n2:two a\n2:two b')
  expect(result.output.sourceDocuments).toEqual([
    { pageContent: '1:one a', metadata: { source: '1:one' } },
    { pageContent: '1:one b', metadata: {} },
    { pageContent: '2:two a', metadata: { source: '2:two' } },
    { pageContent: '2:two b', metadata: {} },
  ])
  expect(events).toEqual([{ event: 'token', data: result.output.content }])
})

test('a retriever without a query searches for the flow’s input, and can return metadata', async () => {
  const { knowledge, asked } = library()
  const { result } = await runStep(retriever, { ...inputs, outputFormat: 'textWithMetadata' }, { knowledge })
  expect(asked[0]).toBe('1:one hello')
  expect(JSON.parse(result.output.content ?? '')).toHaveLength(4)
  expect(JSON.parse(result.output.content ?? '')[0]).toEqual({ pageContent: '1:one a', metadata: { source: '1:one' } })
})

test.each([[''], [[]], [[{ documentStore: '' }]]])('a retriever without a store fails: %j', async (stores) => {
  await expect(runStep(retriever, { retrieverKnowledgeDocumentStores: stores }, {})).rejects.toThrow(
    'Choose a document store',
  )
})

test('a retriever fails with the error of a search', async () => {
  const knowledge = {
    ...noKnowledge,
    search: () => Promise.reject(new Error('The document store "one" does not exist')),
  }
  await expect(runStep(retriever, inputs, { knowledge })).rejects.toThrow('"one" does not exist')
})

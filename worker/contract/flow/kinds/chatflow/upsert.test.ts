import { describe, expect, it } from 'vitest'
import { connectNodes } from '../../document/connect.ts'
import type { FlowDocument } from '../../document/document.ts'
import type { ComponentDefinition } from '../../params/definition.ts'
import { problemText } from '../../rules/problem.ts'
import { flowProblems } from '../../rules/problems.ts'
import { empty } from '../../testing/flows.ts'
import { chatflow } from './kind.ts'
import { chain, chatModel, withNodes } from './testing/flows.ts'
import { filledStores, storesOf, storeToUpsert, upsertedPart } from './upsert.ts'

const part = { version: 1, description: '', inputs: [] }
const loader: ComponentDefinition = {
  ...{ ...part, name: 'loader', label: 'Loader', type: 'Document' },
  ...{ category: 'Document Loaders', baseClasses: ['Document'] },
}
const store: ComponentDefinition = {
  ...{
    ...part,
    name: 'store',
    label: 'Store',
    type: 'Store',
    category: 'Vector Stores',
    baseClasses: ['BaseRetriever'],
  },
  inputs: [{ label: 'Document', name: 'document', type: 'Document', list: true, optional: true }],
}
const searched: ComponentDefinition = { ...store, name: 'searched', label: 'Searched', inputs: [] }

function join(flow: FlowDocument, source: string, target: string, input: string): FlowDocument {
  const found = chatflow.ports(flow.nodes.find(({ id }) => id === target) as FlowDocument['nodes'][0]).inputs
  const targetHandle = found.find(({ label }) => label === input)?.id
  return connectNodes(flow, { source, target, targetHandle }, chatflow)
}

const idsOf = (nodes: readonly { id: string }[]) => nodes.map(({ id }) => id)
const one = join(withNodes(empty, loader, store, searched), 'loader_0', 'store_0', 'Document')
const two = join(withNodes(one, store), 'loader_0', 'store_1', 'Document')

describe('the store that an upsert fills', () => {
  it('takes documents, and has them connected', () => {
    const flow = withNodes(one, store)
    expect(idsOf(storesOf(flow))).toEqual(['store_0', 'store_1'])
    expect(idsOf(filledStores(flow))).toEqual(['store_0'])
    expect(storeToUpsert(flow)).toMatchObject({ store: { id: 'store_0' } })
    expect(idsOf(upsertedPart(flow, 'store_0'))).toEqual(['loader_0', 'store_0'])
  })

  it('is named where there are several', () => {
    expect(storeToUpsert(two)).toEqual({
      refusal: 'There are several vector stores. Send the id of one of them: store_0 (Store), store_1 (Store)',
    })
    expect(storeToUpsert(two, 'store_1')).toMatchObject({ store: { id: 'store_1' } })
  })

  it.each<[string, FlowDocument, string | undefined, string]>([
    ['a store without documents', withNodes(empty, store), undefined, 'Connect documents to Store'],
    [
      'a flow without a store',
      withNodes(empty, loader),
      undefined,
      'This flow has no vector store that takes documents',
    ],
    ['a store that takes none', one, 'searched_0', '“searched_0” is not the id of a vector store'],
    ['a loader', one, 'loader_0', '“loader_0” is not the id of a vector store'],
  ])('is refused for %s', (_, flow, asked, refusal) => {
    const found = storeToUpsert(flow, asked)
    expect('refusal' in found && found.refusal).toContain(refusal)
  })

  it('is not called needless by the checklist when no answer comes to it', () => {
    const answers = join(withNodes(one, chatModel, chain), 'chatScripted_0', 'llmChain_0', 'Language model')
    const known = [loader, store, searched, chatModel, chain]
    const told = flowProblems(answers, known, { kind: chatflow }).map(problemText)
    expect(told.filter((text) => text.includes('will not run'))).toEqual([
      'Searched: Nothing that answers uses this node, so it will not run. Connect it or delete it',
    ])
  })
})

/** What an upsert of a chat flow is about: the vector stores that documents are connected to, and all that leads to one. */
import { linkableInputs } from '../../document/anchors.ts'
import type { FlowDocument, FlowNode } from '../../document/document.ts'
import { graphOf, upstreamOf } from '../../document/graph.ts'
import { VECTOR_STORE_CATEGORY } from '../../params/categories.ts'
import { isParam } from '../../params/params.ts'
import { labelOf } from '../../rules/problem.ts'
import { handleWithoutTypes } from './handles.ts'

type Drawing = Pick<FlowDocument, 'nodes' | 'edges'>

/** The input of vector stores that documents are connected to. */
const DOCUMENT_INPUT = 'document'

/** Returns the vector stores that take documents. */
export function storesOf({ nodes }: Pick<Drawing, 'nodes'>): FlowNode[] {
  return nodes.filter((node) => node.data.category === VECTOR_STORE_CATEGORY && documentHandle(node) !== undefined)
}

const documentHandle = (node: FlowNode) =>
  linkableInputs(node).find(({ name, type }) => name === DOCUMENT_INPUT && !isParam(type))?.id

/** Returns those that have documents connected. */
export function filledStores(drawing: Drawing): FlowNode[] {
  return storesOf(drawing).filter((node) => {
    const handle = handleWithoutTypes(documentHandle(node) ?? '')
    return drawing.edges.some(
      ({ target, targetHandle }) => target === node.id && handleWithoutTypes(targetHandle ?? '') === handle,
    )
  })
}

/** Returns the store that an upsert fills, or why there is none. @param asked its id, where the caller names it */
export function storeToUpsert(drawing: Drawing, asked?: string): { store: FlowNode } | { refusal: string } {
  const stores = storesOf(drawing)
  if (asked !== undefined) {
    const store = stores.find(({ id }) => id === asked)
    return store ? { store } : { refusal: `“${asked}” is not the id of a vector store that takes documents` }
  }
  const filled = filledStores(drawing)
  const [store] = filled
  if (store && filled.length === 1) return { store }
  if (filled.length > 1) {
    const named = filled.map((node) => `${node.id} (${labelOf(node)})`).join(', ')
    return { refusal: `There are several vector stores. Send the id of one of them: ${named}` }
  }
  return {
    refusal: stores[0]
      ? `Connect documents to ${labelOf(stores[0])}`
      : 'This flow has no vector store that takes documents. Add one, and connect documents and embeddings to it',
  }
}

/** Returns the store and the nodes that lead to it, in the order of the drawing. */
export function upsertedPart(drawing: Drawing, storeId: string): FlowNode[] {
  const leading = upstreamOf(graphOf(drawing), storeId)
  return drawing.nodes.filter(({ id }) => id === storeId || leading.has(id))
}

/** Read their documents again with each question, so an upsert only tries them out. */
const IN_MEMORY: readonly string[] = ['memoryVectorStore', 'faiss']

export const keepsDocuments = ({ data }: Pick<FlowNode, 'data'>): boolean => !IN_MEMORY.includes(data.name)

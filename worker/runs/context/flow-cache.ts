/** Parsed flows of this isolate, so that a warm prediction neither fetches nor parses its flow. */
import { parseFlowData } from '#contract/chatflows/chatflows.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'

/** Identifies one flow document for ever: ids may be reused, and then versions start again at 1. */
export interface FlowEdition {
  id: string
  incarnation: string
  version: number
}

interface Entry {
  flowId: string
  edition: string
  document: FlowDocument
  size: number
}

/** Characters of flow data, all entries together. */
const MAX_SIZE = 16_000_000

/** Documents by flow and edition, least recently used first. */
const entries = new Map<string, Entry>()
const editions = new Map<string, Set<string>>()
let totalSize = 0

/** Returns `<incarnation>@<version>`, unique for a flow id. */
export const editionOf = ({ incarnation, version }: Omit<FlowEdition, 'id'>): string => `${incarnation}@${version}`

const keyOf = (flowId: string, edition: string) => `${flowId} ${edition}`

/** Returns the cached documents of a flow by edition. Hold them while a query that leaves them out is under way. */
export function cachedDocuments(flowId: string): Map<string, FlowDocument> {
  const cached = [...(editions.get(flowId) ?? [])].map((edition) => entries.get(keyOf(flowId, edition)))
  return new Map(cached.flatMap((entry) => (entry ? [[entry.edition, entry.document] as const] : [])))
}

/** Throws an Error that names the place when it is no flow. */
export function parseAndKeep(flow: FlowEdition, flowData: string): FlowDocument {
  const document = parseFlowData(flowData)
  const edition = editionOf(flow)
  const key = keyOf(flow.id, edition)
  forget(key)
  entries.set(key, { flowId: flow.id, edition, document, size: flowData.length })
  editions.set(flow.id, (editions.get(flow.id) ?? new Set()).add(edition))
  totalSize += flowData.length
  for (const oldest of entries.keys()) {
    if (totalSize <= MAX_SIZE) break
    forget(oldest)
  }
  return document
}

export function markUsed(flow: FlowEdition): void {
  const key = keyOf(flow.id, editionOf(flow))
  const entry = entries.get(key)
  if (!entry) return
  entries.delete(key)
  entries.set(key, entry)
}

function forget(key: string): void {
  const entry = entries.get(key)
  if (!entry) return
  entries.delete(key)
  totalSize -= entry.size
  const left = editions.get(entry.flowId)
  left?.delete(entry.edition)
  if (left?.size === 0) editions.delete(entry.flowId)
}

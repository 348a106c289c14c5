/** Parsed flows of this isolate under (id, version), so that a warm prediction neither fetches nor parses its flow. */
import { parseFlowData } from '#contract/chatflows.ts'
import type { FlowDocument } from '#contract/flow/document.ts'

interface Entry {
  flowId: string
  version: number
  document: FlowDocument
  size: number
}

/** Characters of flow data, all entries together. */
const MAX_SIZE = 16_000_000

/** By flow and version; least recently used first. */
const entries = new Map<string, Entry>()
const versions = new Map<string, Set<number>>()
let totalSize = 0

const keyOf = (flowId: string, version: number) => `${flowId}@${version}`

/** The versions of a flow that a read need not fetch again; hold them until it is back. */
export function cachedDocuments(flowId: string): Map<number, FlowDocument> {
  const cached = [...(versions.get(flowId) ?? [])].map((version) => entries.get(keyOf(flowId, version)))
  return new Map(cached.flatMap((entry) => (entry ? [[entry.version, entry.document] as const] : [])))
}

/** Throws an Error that names the place when it is no flow. */
export function parseAndKeep(flowId: string, version: number, flowData: string): FlowDocument {
  const document = parseFlowData(flowData)
  forget(keyOf(flowId, version))
  entries.set(keyOf(flowId, version), { flowId, version, document, size: flowData.length })
  versions.set(flowId, (versions.get(flowId) ?? new Set()).add(version))
  totalSize += flowData.length
  for (const oldest of entries.keys()) {
    if (totalSize <= MAX_SIZE) break
    forget(oldest)
  }
  return document
}

export function markUsed(flowId: string, version: number): void {
  const key = keyOf(flowId, version)
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
  const left = versions.get(entry.flowId)
  left?.delete(entry.version)
  if (left?.size === 0) versions.delete(entry.flowId)
}

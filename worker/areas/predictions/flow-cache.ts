/** Parsed flows of this isolate under (id, version), so that a warm prediction neither fetches nor parses its flow. */
import { parseFlowData } from '#contract/chatflows.ts'
import type { FlowDocument } from '#contract/flow/document.ts'

interface Entry {
  version: number
  document: FlowDocument
  size: number
}

/** Characters of flow data, all entries together. */
const MAX_SIZE = 16_000_000

/** Least recently used first. */
const entries = new Map<string, Entry>()
let totalSize = 0

/** The version that a read need not fetch again. */
export function cachedVersion(flowId: string): number {
  return entries.get(flowId)?.version ?? 0
}

/** @param flowData null when the database was told that this version is cached */
export function documentOf(flow: { id: string; version: number; flowData: string | null }): FlowDocument {
  const cached = entries.get(flow.id)
  if (flow.flowData === null && cached?.version === flow.version) {
    entries.delete(flow.id)
    entries.set(flow.id, cached)
    return cached.document
  }
  if (flow.flowData === null) throw new Error(`Version ${flow.version} of flow ${flow.id} is not cached`)
  const document = parseFlowData(flow.flowData)
  remember(flow.id, { version: flow.version, document, size: flow.flowData.length })
  return document
}

function remember(flowId: string, entry: Entry): void {
  forget(flowId)
  entries.set(flowId, entry)
  totalSize += entry.size
  for (const oldest of entries.keys()) {
    if (totalSize <= MAX_SIZE) break
    forget(oldest)
  }
}

function forget(flowId: string): void {
  totalSize -= entries.get(flowId)?.size ?? 0
  entries.delete(flowId)
}

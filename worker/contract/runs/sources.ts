/** The documents that a run's answer is based on, as chats show them. */
import { isRecord } from '../data/json.ts'
import type { RunEvent, TraceItem, UsedTool } from './events.ts'

export interface CitedDocument {
  pageContent: string
  metadata: Record<string, unknown>
  id?: string
}

/** More are not kept with an answer; the trace has them all. */
const MAX_DOCUMENTS = 50
const MAX_CHARS = 5000

/** Returns the documents in a stored value, leaving out everything else. */
export function documentsIn(value: unknown): CitedDocument[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((each) => {
    if (!isRecord(each) || typeof each.pageContent !== 'string') return []
    const { pageContent, metadata, id } = each
    return [{ pageContent, metadata: isRecord(metadata) ? metadata : {}, ...(typeof id === 'string' && { id }) }]
  })
}

/** Returns what the steps of a run were based on, each document once, in order. */
export function citedBy(trace: readonly TraceItem[]): CitedDocument[] {
  const cited = new Map<string, CitedDocument>()
  for (const { data } of trace) {
    for (const document of documentsIn(data.output?.sourceDocuments)) {
      const { id, pageContent, metadata } = document
      const key = id ?? `${String(metadata.source)} ${pageContent}`
      if (cited.size < MAX_DOCUMENTS && !cited.has(key)) cited.set(key, shortened(document))
    }
  }
  return [...cited.values()]
}

const shortened = (document: CitedDocument): CitedDocument =>
  document.pageContent.length <= MAX_CHARS
    ? document
    : { ...document, pageContent: `${document.pageContent.slice(0, MAX_CHARS)}…` }

/** Returns the documents with those of one address once. Documents without an address all stay. */
export function oncePerAddress<Document extends Pick<CitedDocument, 'metadata'>>(
  documents: readonly Document[],
): Document[] {
  const seen = new Set<string>()
  return documents.filter(({ metadata }) => {
    const { url } = readOrigin(metadata)
    if (url === undefined) return true
    const isNew = !seen.has(url)
    seen.add(url)
    return isNew
  })
}

/** Returns the document without addresses that run code where a client opens them, as Flowise's widget does. */
export function withSafeAddresses<Document extends Pick<CitedDocument, 'metadata'>>(document: Document): Document {
  const entries = Object.entries(document.metadata)
  const safe = entries.filter(([key, value]) => !ADDRESSES.has(key) || !runsCode(value))
  return safe.length === entries.length ? document : { ...document, metadata: Object.fromEntries(safe) }
}

/** Returns the documents of an answer, for clients that open their addresses. */
export const safeSources = (documents: unknown): CitedDocument[] => documentsIn(documents).map(withSafeAddresses)

/** Returns a step of a trace that is shown whole, with the addresses of its sources as `withSafeAddresses` leaves them. */
export function withSafeSources(item: TraceItem): TraceItem {
  const output = item.data?.output
  if (!output) return item
  const { sourceDocuments, usedTools } = output
  const safe = {
    ...output,
    ...(Array.isArray(sourceDocuments) && { sourceDocuments: safeSources(sourceDocuments) }),
    ...(Array.isArray(usedTools) && { usedTools: usedTools.map(withSafeToolSources) }),
  }
  return { ...item, data: { ...item.data, output: safe } }
}

const withSafeToolSources = (tool: UsedTool): UsedTool =>
  Array.isArray(tool.sourceDocuments) ? { ...tool, sourceDocuments: safeSources(tool.sourceDocuments) } : tool

/** Returns an event of a run that is shown whole, as `withSafeSources` does. */
export function withSafeEventSources(event: RunEvent): RunEvent {
  if (event.event === 'sourceDocuments') return { ...event, data: safeSources(event.data) }
  if (event.event === 'usedTools') return { ...event, data: event.data.map(withSafeToolSources) }
  if (event.event === 'agentFlowExecutedData') return { ...event, data: event.data.map(withSafeSources) }
  return event
}

const ADDRESSES: ReadonlySet<string> = new Set(['source', 'url'])
const CODE: ReadonlySet<string> = new Set(['javascript:', 'vbscript:', 'data:'])

/** Parsed as a browser does: it ignores spaces before an address, and line breaks and tabs within. */
const runsCode = (address: unknown): boolean =>
  typeof address === 'string' && URL.canParse(address) && CODE.has(new URL(address).protocol)

/** The file, page or site of a document, from its metadata. */
export function readOrigin(metadata: Record<string, unknown>): { name?: string; page?: number; url?: string } {
  const { source, fileName, title, url, page, loc } = metadata
  const name = [fileName, source, title, url].find((each): each is string => typeof each === 'string' && each !== '')
  const address = [url, source].find((each): each is string => typeof each === 'string' && /^https?:\/\//i.test(each))
  const number = page ?? (isRecord(loc) ? loc.pageNumber : undefined)
  return {
    ...(name !== undefined && { name }),
    ...(typeof number === 'number' && { page: number }),
    ...(address !== undefined && { url: address }),
  }
}

/** Reads an import file as a flow or a workspace export, and previews the import. */

import { describePermissions } from '#contract/access/permissions.ts'
import { tryParseJson } from '#contract/data/json.ts'
import { errorMessage } from '#contract/errors.ts'
import {
  BUNDLE_KEYS,
  type ImportAnswer,
  type ImportReport,
  MAX_BUNDLE_ROWS,
  NOT_EXPORTED,
} from '#contract/export-import/export-import.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { INVALID_IMPORTED_FILE, parseImportedFlow } from '#contract/flow/document/parse.ts'
import { FLOW_TYPES, type FlowType } from '#contract/flow/flow-types.ts'
import { factsOf } from '#contract/flow/kinds/facts.ts'
import { kindOf, kindOfDocument } from '#contract/flow/kinds/index.ts'
import type { FlowKind } from '#contract/flow/kinds/types.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import type { SourceFile } from '#contract/flow/sources.ts'
import { importReport } from '#contract/flow/transfer/report.ts'
import type { FlowReport } from '#contract/schemas/flow-report.ts'

interface OpenedFlow {
  kind: 'flow'
  type: FlowType
  name: string
  flow: FlowDocument
  sources: SourceFile[]
  /** What the file says that it lacks. */
  missing: string[]
  report: FlowReport
}

export type OpenedFile =
  | OpenedFlow
  | { kind: 'bundle'; name: string; bundle: object; report: ImportReport }
  /** Too many rows for one request. */
  | { kind: 'large' }
  | { kind: 'refused'; message: string; reason?: string }

/** Server calls that the preview needs. */
export interface ServerQueries {
  /** The user can import workspace exports. */
  canImportBundle: boolean
  components(): Promise<ComponentDefinition[]>
  /** Returns the ids of the workspace's flows, tools and MCP servers. */
  knownIds(): Promise<string[]>
  /** Throws an error with the server's message. */
  dryRun(bundle: object): Promise<ImportAnswer>
}

export async function openFile(
  { name, text }: { name: string; text: string },
  ask: ServerQueries,
): Promise<OpenedFile> {
  const bundle = findBundle(name, text)
  try {
    return bundle ? await openBundle(name, bundle, ask) : await openFlowFile({ name, text }, ask)
  } catch (error) {
    return { kind: 'refused', message: errorMessage(error) }
  }
}

async function openBundle(name: string, bundle: object, ask: ServerQueries): Promise<OpenedFile> {
  if (!ask.canImportBundle)
    return {
      kind: 'refused',
      message: `You need the permission ${describePermissions('workspace:import')} to import a workspace export`,
    }
  const isLarge = Object.values(bundle).some((rows) => Array.isArray(rows) && rows.length > MAX_BUNDLE_ROWS)
  if (isLarge) return { kind: 'large' }
  const { report } = await ask.dryRun(bundle)
  return { kind: 'bundle', name, bundle, report }
}

async function openFlowFile({ name, text }: { name: string; text: string }, ask: ServerQueries): Promise<OpenedFile> {
  const opened = parseImportedFlow(name, text)
  if (!opened.ok) return { kind: 'refused', message: INVALID_IMPORTED_FILE, reason: opened.reason }
  const [components, ids] = await Promise.all([ask.components(), ask.knownIds()])
  const kind = kindOfFile(text, opened.flow)
  const { sources, missing } = readBeside(text)
  const flow = withoutKeys(opened.flow, [...(sources.length > 0 ? ['sources'] : []), NOT_EXPORTED])
  const report = importReport(flow, components, { kind, knownIds: new Set(ids), dropped: opened.dropped })
  return {
    kind: 'flow',
    type: kind.type,
    name: storedName(text) ?? nameFromFile(name, kind),
    flow,
    sources,
    missing,
    report,
  }
}

/** Returns the parsed file when it has lists under the keys of a workspace export. */
function findBundle(name: string, text: string): object | undefined {
  const value = name.toLowerCase().endsWith('.json') ? tryParseJson(text) : undefined
  if (typeof value !== 'object' || value === null) return undefined
  return BUNDLE_KEYS.some((key) => Array.isArray((value as Record<string, unknown>)[key])) ? value : undefined
}

/** Returns the kind that an entry of a workspace export names, or that of the nodes. */
function kindOfFile(text: string, flow: FlowDocument): FlowKind {
  const { type } = (tryParseJson(text) ?? {}) as { type?: unknown }
  const named = FLOW_TYPES.find((each) => each === type && factsOf(each).editor !== 'form')
  return named ? kindOf(named) : kindOfDocument(flow)
}

/** Returns the source files beside the nodes of a file, or of an entry of a workspace export, and what the file lacks. */
function readBeside(text: string): Pick<OpenedFlow, 'sources' | 'missing'> {
  const { sources, [NOT_EXPORTED]: notes } = (tryParseJson(text) ?? {}) as { [key: string]: unknown }
  return {
    sources: Array.isArray(sources) && sources.every(isSourceFile) ? sources : [],
    missing: Array.isArray(notes) ? notes.flatMap((each) => (typeof each?.note === 'string' ? each.note : [])) : [],
  }
}

const isSourceFile = (value: Partial<SourceFile> | null): value is SourceFile =>
  typeof value?.name === 'string' && typeof value.data === 'string'

function withoutKeys(flow: FlowDocument, keys: readonly string[]): FlowDocument {
  return Object.fromEntries(Object.entries(flow).filter(([key]) => !keys.includes(key))) as FlowDocument
}

/** Converts `Support Agents.json` to `Support`. */
function nameFromFile(fileName: string, { fileSuffix }: FlowKind): string {
  const name = fileName.replace(/\.json$/i, '')
  const own = name.endsWith(` ${fileSuffix}`) ? name.slice(0, -fileSuffix.length - 1) : name
  return own.slice(0, 200) || 'Imported flow'
}

/** Returns the name stored in an entry of a workspace export. */
function storedName(text: string): string | undefined {
  const { name, flowData } = (tryParseJson(text) ?? {}) as { name?: unknown; flowData?: unknown }
  return flowData !== undefined && typeof name === 'string' && name.trim() !== ''
    ? name.trim().slice(0, 200)
    : undefined
}

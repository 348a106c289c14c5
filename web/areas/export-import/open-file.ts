/** What a chosen file is: one flow, or a bundle of a workspace; and what would become of it here. */

import { errorMessage } from '#contract/errors.ts'
import { BUNDLE_KEYS, type ImportAnswer, type ImportReport } from '#contract/export-import.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { INVALID_IMPORTED_FILE, parseImportedFlow } from '#contract/flow/document/parse.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { type FlowReport, importReport } from '#contract/flow/transfer/report.ts'
import { tryParseJson } from '#contract/json.ts'

export type OpenedFile =
  | { kind: 'flow'; name: string; flow: FlowDocument; report: FlowReport }
  | { kind: 'bundle'; name: string; bundle: object; report: ImportReport }
  | { kind: 'refused'; message: string; reason?: string }

/** What is asked of the server. */
export interface Questions {
  /** Whether the person may take in the file of a workspace. */
  mayImportBundle: boolean
  components(): Promise<ComponentDefinition[]>
  /** Ids of flows that this workspace has. */
  flowIds(): Promise<string[]>
  /** Throws an Error in the server's words. */
  dryRun(bundle: object): Promise<ImportAnswer>
}

export async function openFile({ name, text }: { name: string; text: string }, ask: Questions): Promise<OpenedFile> {
  const bundle = bundleIn(name, text)
  try {
    return bundle ? await openBundle(name, bundle, ask) : await openFlowFile({ name, text }, ask)
  } catch (error) {
    return { kind: 'refused', message: errorMessage(error) }
  }
}

async function openBundle(name: string, bundle: object, ask: Questions): Promise<OpenedFile> {
  if (!ask.mayImportBundle)
    return { kind: 'refused', message: 'You need the permission workspace:import for the file of a workspace' }
  const { report } = await ask.dryRun(bundle)
  return { kind: 'bundle', name, bundle, report }
}

async function openFlowFile({ name, text }: { name: string; text: string }, ask: Questions): Promise<OpenedFile> {
  const opened = parseImportedFlow(name, text)
  if (!opened.ok) return { kind: 'refused', message: INVALID_IMPORTED_FILE, reason: opened.reason }
  const [components, ids] = await Promise.all([ask.components(), ask.flowIds()])
  const report = importReport(opened.flow, components, { knownIds: new Set(ids) })
  return { kind: 'flow', name: nameIn(text) ?? nameOf(name), flow: opened.flow, report }
}

/** A file of a workspace holds lists under the keys of a bundle. */
function bundleIn(name: string, text: string): object | undefined {
  const value = name.toLowerCase().endsWith('.json') ? tryParseJson(text) : undefined
  if (typeof value !== 'object' || value === null) return undefined
  return BUNDLE_KEYS.some((key) => Array.isArray((value as Record<string, unknown>)[key])) ? value : undefined
}

/** `Support Agents.json` → `Support` */
function nameOf(fileName: string): string {
  return fileName.replace(/( Agents)?\.json$/i, '').slice(0, 200) || 'Imported flow'
}

/** An entry that was taken out of a bundle knows its name. */
function nameIn(text: string): string | undefined {
  const { name, flowData } = (tryParseJson(text) ?? {}) as { name?: unknown; flowData?: unknown }
  return flowData !== undefined && typeof name === 'string' && name.trim() !== ''
    ? name.trim().slice(0, 200)
    : undefined
}

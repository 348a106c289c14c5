/** The files of an upsert, which take the place of those that the flow's loaders name. They are not kept. */
import { HeddleError } from '#contract/errors.ts'
import type { FlowNode } from '#contract/flow/document/document.ts'
import { paramsOf } from '#contract/flow/params/params.ts'
import { cleanName, plainMime } from '#contract/predictions/uploads.ts'

/** A file input of a loader. */
interface FileInput {
  node: FlowNode
  name: string
  /** Extensions that it takes; empty: all. */
  extensions: string[]
}

/** New values by node id and input name. */
export type SentInputs = Record<string, Record<string, unknown>>

/**
 * Returns the inputs that get the files: of each file the first that takes its kind, before those that take all.
 * @throws HeddleError `bad_request` that names the file that no loader reads
 */
export async function inputsForFiles(nodes: readonly FlowNode[], files: readonly File[]): Promise<SentInputs> {
  const inputs = nodes.flatMap(fileInputsOf)
  const uris = new Map<FileInput, string[]>()
  for (const [index, file] of files.entries()) {
    const name = cleanName(file.name)
    const input = inputFor(inputs, name)
    if (!input) throw refusal(index, `${name}: no loader of this flow reads such files`)
    uris.set(input, [...(uris.get(input) ?? []), await dataUri(file, name)])
  }
  const sent: SentInputs = {}
  for (const [{ node, name }, values] of uris) sent[node.id] = { ...sent[node.id], [name]: JSON.stringify(values) }
  return sent
}

/** Throws `bad_request` for an input that the flow's owner does not let callers set. */
export function assertOverridable(sent: SentInputs, allowed: SentInputs): void {
  const isRefused = Object.entries(sent).some(([id, values]) =>
    Object.keys(values).some((name) => allowed[id]?.[name] === undefined),
  )
  if (isRefused) throw refusal(0, 'This flow takes no files from callers. Its owner can allow them under Share')
}

/** True when a loader of the flow reads files, which callers may be allowed to replace. */
export const takesSentFiles = (nodes: readonly FlowNode[]) => nodes.some((node) => fileInputsOf(node).length > 0)

function fileInputsOf(node: FlowNode): FileInput[] {
  return paramsOf(node)
    .filter(({ type }) => type === 'file')
    .map(({ name, fileType }) => ({ node, name, extensions: extensionsOf(fileType) }))
}

const extensionsOf = (fileType: string | undefined) =>
  (fileType ?? '')
    .split(',')
    .map((extension) => extension.trim().toLowerCase())
    .filter((extension) => extension !== '' && extension !== '*')

function inputFor(inputs: readonly FileInput[], name: string): FileInput | undefined {
  const lower = name.toLowerCase()
  const isNamed = ({ extensions }: FileInput) => extensions.some((extension) => lower.endsWith(extension))
  return inputs.find(isNamed) ?? inputs.find(({ extensions }) => extensions.length === 0)
}

async function dataUri(file: File, name: string): Promise<string> {
  const base64 = Buffer.from(await file.arrayBuffer()).toString('base64')
  const declared = plainMime(file.type)
  return `data:${MEDIA_TYPE.test(declared) ? declared : 'application/octet-stream'};base64,${base64},filename:${name}`
}

const MEDIA_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/

const refusal = (index: number, message: string) =>
  new HeddleError('bad_request', `files.${index}: ${message}`, { field: `files.${index}` })

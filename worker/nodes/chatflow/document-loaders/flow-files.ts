/** The files of a loader's inputs: stored with the flow, or written into it as data URIs. */
import { sentInputs, storedFileNames } from '#contract/document-stores/file-inputs.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { ConfigError } from '../../../inputs/component-config.ts'
import { bytesOfInput } from '../../../knowledge/sent-bytes.ts'
import type { StoredFile } from '../../../knowledge/types.ts'
import type { StepContext } from '../../types.ts'

/** @throws ConfigError that says which file is missing, or that there is none */
export async function openFiles({ inputs }: ComponentDefinition, context: StepContext): Promise<StoredFile[]> {
  const named = inputs.filter(({ type }) => type === 'file')
  const files = await Promise.all(named.map(({ name }) => filesIn(context.inputs[name], context)))
  const all = files.flat()
  if (named.length > 0 && all.length === 0)
    throw new ConfigError(`${context.node.label}: choose a file for ${named[0]?.label}`)
  return all
}

async function filesIn(value: unknown, context: StepContext): Promise<StoredFile[]> {
  const stored = storedFileNames(value)
  if (stored) return Promise.all(stored.map((name) => storedFile(name, context)))
  return (sentInputs(value) ?? []).map((sent, at): StoredFile => {
    const bytes = bytesOfInput(sent)
    if (!sent || !bytes) throw new ConfigError(`${context.node.label}: file ${at + 1} is damaged`)
    const { name, mime } = sent
    return { id: `${at} ${name}`, name, mime, size: bytes.length, read: async () => bytes }
  })
}

async function storedFile(name: string, { files, node }: StepContext): Promise<StoredFile> {
  const found = await files.ofFlow(name)
  if (found) return { id: name, name, mime: found.mime, size: found.bytes.length, read: async () => found.bytes }
  throw new ConfigError(`${node.label}: the file ${name} is no longer there. Choose it again.`)
}

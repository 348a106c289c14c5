/** What loaders of stored files share: each file is a source, and reading it chooses the format by its bytes. */
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import type { LoaderGroup } from '#contract/document-stores/loader-groups.ts'
import { additionalParam } from '#contract/flow/params/builders.ts'
import type { ComponentDefinition, InputParam } from '#contract/flow/params/definition.ts'
import { readFile } from '../readers/index.ts'
import type { ReadOptions } from '../readers/types.ts'
import type { LoaderType, SourceContent, SourceDocument, StoredFile } from '../types.ts'
import { computeHash } from './hash.ts'
import { adjustMetadata, metadataParams } from './metadata.ts'

interface FileLoaderParts {
  label: string
  name: string
  version: number
  description: string
  hint?: string
  /** The input with the files. */
  file: Pick<InputParam, 'label' | 'name' | 'fileType'>
  inputs?: InputParam[]
  /** How the files are to be read. @throws ConfigError */
  optionsOf?(config: Record<string, unknown>): ReadOptions
}

/** Returns a loader whose sources are the files that its input names. */
export function storedFileLoader({ file, inputs = [], optionsOf, ...parts }: FileLoaderParts): LoaderType {
  return {
    definition: loaderDefinition('Files', {
      ...parts,
      inputs: [{ ...file, type: 'file' }, ...inputs, ...metadataParams],
    }),
    list: async ({ files, maxItems }) => ({
      items: files.slice(0, maxItems).map(({ id, name, mime, size }) => ({ key: name, name, version: id, mime, size })),
    }),
    async read({ files, config }, { key }) {
      const stored = files.find(({ name }) => name === key)
      return stored && readStored(stored, config, optionsOf?.(config))
    },
    describeSource: (config) => fileNames(config[file.name]).join(', '),
  }
}

async function readStored(
  stored: StoredFile,
  config: Record<string, unknown>,
  options: ReadOptions | undefined,
): Promise<SourceContent> {
  const bytes = await stored.read()
  const hash = await computeHash(bytes)
  const names = { name: stored.name, mime: stored.mime, mayTakeBytes: true }
  const { documents, pages } = await readFile(bytes, { ...options, ...names })
  const said = Object.keys(options?.recordMetadata ?? {})
  const adjusted = documents.map(
    (document): SourceDocument => ({ ...document, metadata: adjustMetadata(document.metadata, config, said) }),
  )
  return { documents: adjusted, pages, hash }
}

/** Adds the fields that all definitions of loaders share. */
export function loaderDefinition(
  group: LoaderGroup,
  parts: Pick<ComponentDefinition, 'label' | 'name' | 'version' | 'description' | 'inputs' | 'credential'> & {
    hint?: string
  },
): ComponentDefinition {
  return { ...parts, group, type: 'Document', category: 'Document Loaders', baseClasses: ['Document'] }
}

export const divisionParam = (part: string, name: string): InputParam =>
  additionalParam('Usage', 'usage', {
    type: 'options',
    options: [
      { label: `One document per ${part}`, name },
      { label: 'One document per file', name: 'perFile' },
    ],
    default: name,
  })

export const divisionOf = (config: Record<string, unknown>): ReadOptions => ({
  division: (config.usage ?? config.pdfUsage) === 'perFile' ? 'file' : 'part',
})

const STORED = 'FILE-STORAGE::'
const NAME = ',filename:'

/** Returns the names in the value of a file input: stored files, data URIs, or a JSON list of either. */
function fileNames(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(fileNames)
  if (typeof value !== 'string' || value === '') return []
  const written = value.startsWith(STORED) ? value.slice(STORED.length) : value
  const list = written.startsWith('[') ? tryParseJson(written) : undefined
  if (Array.isArray(list)) return list.flatMap(fileNames)
  const at = written.lastIndexOf(NAME)
  return [at === -1 ? (written.startsWith('data:') ? 'file' : written) : written.slice(at + NAME.length)]
}

/** Returns paths of a record for metadata: values that start with a slash. */
export function recordMetadata({ metadata }: Record<string, unknown>): Record<string, string> {
  const written = typeof metadata === 'string' ? tryParseJson(metadata) : metadata
  const paths = isRecord(written) ? Object.entries(written).filter(([, value]) => isPath(value)) : []
  return Object.fromEntries(paths) as Record<string, string>
}

const isPath = (value: unknown) => typeof value === 'string' && value.startsWith('/')

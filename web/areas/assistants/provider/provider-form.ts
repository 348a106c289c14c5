/** Values and checks of the form of an assistant at a provider. Pure. */

import type { Assistant } from '#contract/assistants/assistants.ts'
import {
  type ProviderAssistant,
  type ProviderDetails,
  type ProviderType,
  readProviderDetails,
} from '#contract/assistants/provider-assistants.ts'
import { isRecord } from '#contract/data/json.ts'
import { argumentsSchema, parseParameters } from '#contract/tools/parameters.ts'
import type { ListedTool } from '#contract/tools/schemas.ts'
import { type FormErrors, fieldErrors } from '../../../ui/forms/form-errors.ts'

export const PROVIDER_LABELS: Readonly<Record<ProviderType, string>> = { OPENAI: 'OpenAI', AZURE: 'Azure' }

/** The provider's own tools that the form offers. */
export const OWN_TOOLS = { code_interpreter: 'Code interpreter', file_search: 'File search' } as const
export type OwnTool = keyof typeof OWN_TOOLS

export interface FileOfAssistant {
  id: string
  /** Absent: only the provider knows it. */
  filename?: string
}

/** A function that the assistant may ask its caller to run. */
interface FunctionTool {
  type: 'function'
  function: { name: string; description?: string; parameters?: object }
}

export interface ProviderFields {
  type: ProviderType
  credential: string
  basepath: string
  /** The provider's id; empty for a new assistant. */
  id: string
  name: string
  model: string
  instructions: string
  temperature: string
  top_p: string
  own: OwnTool[]
  /** Files of the code interpreter. */
  files: FileOfAssistant[]
  /** The vector store that file search reads; empty for none. */
  storeId: string
  functions: FunctionTool[]
  /** What the form does not show. */
  rest: Partial<ProviderDetails>
}

export function fieldsOf(assistant: Assistant | undefined): ProviderFields {
  const details = assistant && readProviderDetails(assistant.details)
  const type = assistant?.type === 'AZURE' ? 'AZURE' : 'OPENAI'
  return { type, credential: assistant?.credential ?? '', basepath: details?.basepath ?? '', ...toFields(details) }
}

/** Returns the fields that an assistant of the provider fills in. */
export function toFields(
  details: Partial<ProviderDetails> | ProviderAssistant = {},
): Omit<ProviderFields, 'type' | 'credential' | 'basepath'> {
  const { id = '', name, model, instructions, temperature, top_p, tools = [] } = details as Partial<ProviderDetails>
  const types = tools.map((tool) => tool.type)
  const resources: Record<string, unknown> = (details as Partial<ProviderDetails>).tool_resources ?? {}
  return {
    id,
    name: name ?? '',
    model: model ?? '',
    instructions: instructions ?? '',
    temperature: numberText(temperature),
    top_p: numberText(top_p),
    own: (Object.keys(OWN_TOOLS) as OwnTool[]).filter((tool) => types.includes(tool)),
    files: filesIn(resources.code_interpreter),
    storeId: textsIn(resources.file_search, 'vector_store_ids')[0] ?? '',
    functions: (tools as object[]).filter(isFunction),
    rest: details as Partial<ProviderDetails>,
  }
}

/** Returns the details to send. Tools that the form does not know stay. */
export function toDetails({ rest, own, id, files, storeId, functions, ...fields }: ProviderFields) {
  const { type: _, credential: __, temperature, top_p, ...texts } = fields
  const tools = rest.tools ?? []
  const others = tools.filter((tool) => !(tool.type in OWN_TOOLS) && !isFunction(tool))
  const kept = own.map((name) => tools.find((tool) => tool.type === name) ?? { type: name })
  const { description } = rest
  const fileIds = files.map((file) => file.id)
  const tool_resources = {
    ...(own.includes('code_interpreter') && { code_interpreter: { file_ids: fileIds, files } }),
    ...(own.includes('file_search') && { file_search: { vector_store_ids: storeId ? [storeId] : [] } }),
  }
  return {
    ...{ tool_resources, description, ...texts },
    ...(id && { id }),
    tools: [...kept, ...functions, ...others],
    temperature: temperature.trim() === '' ? null : Number(temperature),
    top_p: top_p.trim() === '' ? null : Number(top_p),
  }
}

export function checkProvider({
  type,
  credential,
  basepath,
  name,
  model,
  temperature,
  top_p,
}: ProviderFields): FormErrors {
  return fieldErrors({
    credential: credential === '' && 'Choose a credential.',
    basepath: type === 'AZURE' && basepath.trim() === '' && 'Enter the address of your Azure resource.',
    name: name.trim() === '' && 'Enter a name.',
    model: model.trim() === '' && 'Enter a model.',
    temperature: !isBetween(temperature, 2) && 'Enter a number from 0 to 2.',
    top_p: !isBetween(top_p, 1) && 'Enter a number from 0 to 1.',
  })
}

/** Returns a tool of the workspace as a function that an assistant may ask for. */
export function functionOf({
  name,
  description,
  schema,
}: Pick<ListedTool, 'name' | 'description' | 'schema'>): FunctionTool {
  const parameters = argumentsSchema(parseParameters(schema))
  return { type: 'function', function: { name, description, parameters } }
}

function isFunction(tool: object): tool is FunctionTool {
  const { type, function: named } = tool as { type?: unknown; function?: unknown }
  return type === 'function' && isRecord(named) && typeof named.name === 'string'
}

/** Names are kept here; a file that was added elsewhere has none. */
function filesIn(resource: unknown): FileOfAssistant[] {
  const known = isRecord(resource) && Array.isArray(resource.files) ? resource.files.filter(isRecord) : []
  return textsIn(resource, 'file_ids').map((id) => {
    const filename = known.find((file) => file.id === id)?.filename
    return { id, ...(typeof filename === 'string' && { filename }) }
  })
}

function textsIn(resource: unknown, name: string): string[] {
  const list = isRecord(resource) ? resource[name] : undefined
  return Array.isArray(list) ? list.filter((item): item is string => typeof item === 'string') : []
}

const isBetween = (text: string, most: number) => text.trim() === '' || (Number(text) >= 0 && Number(text) <= most)
const numberText = (value: number | null | undefined) => (typeof value === 'number' ? String(value) : '')

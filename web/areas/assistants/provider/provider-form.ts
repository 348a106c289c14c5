/** Values and checks of the form of an assistant at a provider. Pure. */
import type { Assistant } from '#contract/assistants.ts'
import {
  type ProviderAssistant,
  type ProviderDetails,
  type ProviderType,
  readProviderDetails,
} from '#contract/provider-assistants.ts'
import { type FormErrors, fieldErrors } from '../../../ui/forms/form-errors.ts'

export const PROVIDER_LABELS: Readonly<Record<ProviderType, string>> = { OPENAI: 'OpenAI', AZURE: 'Azure' }

/** The provider's own tools that the form offers. */
export const OWN_TOOLS = { code_interpreter: 'Code interpreter', file_search: 'File search' } as const
export type OwnTool = keyof typeof OWN_TOOLS

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
  /** What the form does not show. */
  rest: Partial<ProviderDetails>
}

export function fieldsOf(assistant: Assistant | undefined): ProviderFields {
  const details = assistant && readProviderDetails(assistant.details)
  const type = assistant?.type === 'AZURE' ? 'AZURE' : 'OPENAI'
  return { type, credential: assistant?.credential ?? '', basepath: details?.basepath ?? '', ...shown(details) }
}

/** Returns the fields that an assistant of the provider fills in. */
export function shown(
  details: Partial<ProviderDetails> | ProviderAssistant = {},
): Omit<ProviderFields, 'type' | 'credential' | 'basepath'> {
  const { id = '', name, model, instructions, temperature, top_p, tools = [] } = details as Partial<ProviderDetails>
  const types = tools.map((tool) => tool.type)
  return {
    id,
    name: name ?? '',
    model: model ?? '',
    instructions: instructions ?? '',
    temperature: numberText(temperature),
    top_p: numberText(top_p),
    own: (Object.keys(OWN_TOOLS) as OwnTool[]).filter((tool) => types.includes(tool)),
    rest: details as Partial<ProviderDetails>,
  }
}

/** Returns the details to send. Other tools, such as functions, stay. */
export function detailsOf({ rest, type: _, credential: __, own, id, temperature, top_p, ...texts }: ProviderFields) {
  const tools = rest.tools ?? []
  const others = tools.filter((tool) => !(tool.type in OWN_TOOLS))
  const kept = own.map((name) => tools.find((tool) => tool.type === name) ?? { type: name })
  const { tool_resources, description } = rest
  return {
    ...{ tool_resources, description, ...texts },
    ...(id && { id }),
    tools: [...kept, ...others],
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

const isBetween = (text: string, most: number) => text.trim() === '' || (Number(text) >= 0 && Number(text) <= most)
const numberText = (value: number | null | undefined) => (typeof value === 'number' ? String(value) : '')

/** Opens the chat model, the tools and the credential that a node refers to. */
import type { OpenComponents } from '../engine/types.ts'
import { allInOrder } from '../llm/settle-in-order.ts'
import { closeTools } from '../llm/tool-calls.ts'
import { withUniqueNames } from '../llm/tool-names.ts'
import { models } from '../models/index.ts'
import type { OpenModel } from '../models/types.ts'
import type { Clock, Egress, Flows, OwnTools, Sandbox } from '../ports/types.ts'
import { tools } from '../tools/index.ts'
import type { OpenTool, StepComponents } from './types.ts'
import { openVectorSearch } from './vector-search.ts'

interface OpenComponentsConfig {
  /** The decrypted fields; undefined when the workspace has no such credential. */
  readCredential(id: string): Promise<Record<string, unknown> | undefined>
  egress: Egress
  sandbox: Sandbox
  flows: Flows
  own: OwnTools
  clock: Clock
}

/** A selected component's inputs, with its credential id under either of the format's two names. */
type ChoiceConfig = Record<string, unknown>

const modelsByName = new Map(models.map((provider) => [provider.definition.name, provider]))
const toolsByName = new Map(tools.map((tool) => [tool.definition.name, tool]))

export function createOpenComponents({
  readCredential,
  egress,
  sandbox,
  flows,
  own,
  clock,
}: OpenComponentsConfig): OpenComponents {
  const read = async (id: string, label: string): Promise<Record<string, unknown>> => {
    const fields = await readCredential(id)
    if (!fields) throw new Error(`${label}: the chosen credential does not exist. Choose a credential.`)
    return fields
  }

  const openModel = async (name: string, chosen: ChoiceConfig, nodeLabel?: string): Promise<OpenModel> => {
    const provider = modelsByName.get(name)
    if (!provider) throw new Error(`Unknown model "${name}". Choose one from the list.`)
    const credential = await credentialOf(provider.definition, chosen)
    const config = withDefaults(provider.definition.inputs, chosen)
    return provider.open({ config, credential, egress, nodeLabel })
  }

  /** Returns the decrypted fields, or an empty object when a credential is optional and none is selected. */
  const credentialOf = async (
    { label, credential }: { label: string; credential?: { optional?: boolean } },
    config: ChoiceConfig,
  ): Promise<Record<string, unknown>> => {
    const id = stringOf(config.FLOWISE_CREDENTIAL_ID) || stringOf(config.credential)
    if (credential && id) return read(id, label)
    if (credential && !credential.optional) throw new Error(`${label}: choose a credential`)
    return {}
  }

  return (node, signal): StepComponents => {
    const openTool = async (item: unknown, choice: string, index: number): Promise<OpenTool[]> => {
      const { name, config } = choiceOf((item ?? {}) as Record<string, unknown>, choice)
      if (!name) throw new Error(`Tool ${index + 1}: choose a tool`)
      const tool = toolsByName.get(name)
      if (!tool) throw new Error(`Unknown tool "${name}". Choose one from the list.`)
      const credential = await credentialOf(tool.definition, config)
      const full = withDefaults(tool.definition.inputs, config)
      const opened = await tool.open({ config: full, credential, egress, sandbox, flows, own, clock, signal })
      return opened.map((each) => ({ ...each, item: index }))
    }

    return {
      own,
      async model(param) {
        const { name, config } = choiceOf(node.inputs, param)
        if (!name) throw new Error('Choose a model')
        return openModel(name, config, node.label)
      },
      async tools(param, itemKey) {
        if (itemKey === undefined) return withUniqueNames(await openTool(node.inputs, param, 0))
        const items = node.inputs[param]
        const opened = Array.isArray(items)
          ? await allOrNone(items.map((item, index) => openTool(item, itemKey, index)))
          : []
        return withUniqueNames(opened.flat())
      },
      vectorSearch(row) {
        const chosen = { store: choiceOf(row, 'vectorStore'), embedder: choiceOf(row, 'embeddingModel') }
        return openVectorSearch(chosen, async (definition, config) => {
          const credential = await credentialOf(definition, config)
          return { config: withDefaults(definition.inputs, config), credential, egress, clock, signal }
        })
      },
      async credential() {
        const id = node.credential || stringOf(node.inputs.FLOWISE_CREDENTIAL_ID)
        return id ? read(id, 'Credential') : {}
      },
    }
  }
}

/** Opens all tools. If one fails, closes the others and rethrows. */
async function allOrNone(opening: Promise<OpenTool[]>[]): Promise<OpenTool[][]> {
  try {
    return await allInOrder(opening)
  } catch (error) {
    for (const ended of await Promise.allSettled(opening))
      if (ended.status === 'fulfilled') await closeTools(ended.value)
    throw error
  }
}

function choiceOf(inputs: Record<string, unknown>, param: string): { name: string; config: ChoiceConfig } {
  const config = inputs[`${param}Config`]
  return {
    name: stringOf(inputs[param]),
    config: typeof config === 'object' && config !== null ? (config as ChoiceConfig) : {},
  }
}

/** Adds defaults for inputs that an imported file lacks. Inputs that were cleared stay empty. */
function withDefaults(inputs: { name: string; default?: unknown }[], config: ChoiceConfig): ChoiceConfig {
  const defaults = inputs
    .filter(({ default: value }) => value !== undefined)
    .map((input) => [input.name, input.default])
  return { ...Object.fromEntries(defaults), ...config }
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

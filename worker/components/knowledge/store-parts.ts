/** Opens the components that a document store was set up with, for searches and for jobs. */
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import { CREDENTIAL_ID } from '#contract/flow/document/serialize.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import type { VectorStore } from '../../knowledge/types.ts'
import { vectorStores } from '../../knowledge/vector-stores/index.ts'
import { embedders } from '../../models/embeddings/index.ts'
import type { Embeddings } from '../../models/embeddings/types.ts'
import type { ComponentContext } from '../../providers/types.ts'
import type { ReadCredential } from '../open-components.ts'

type Values = Record<string, unknown>

/** A component with its inputs, as a store keeps it. */
export interface Choice {
  name: string
  config: Values
}

export function parseChoice(text: string | null): Choice | undefined {
  const value = text === null ? undefined : tryParseJson(text)
  if (!isRecord(value) || typeof value.name !== 'string' || value.name === '') return undefined
  return { name: value.name, config: isRecord(value.config) ? value.config : {} }
}

/** The context that opens the components of one store. */
export interface PartsContext extends Pick<ComponentContext, 'egress' | 'clock' | 'signal'> {
  readCredential: ReadCredential
  withVariables(values: Values): Values
}

/** Throws an Error that names the component whose credential is missing. */
export async function openContext(
  { definition }: { definition: ComponentDefinition },
  config: Values,
  { readCredential, withVariables, ...context }: PartsContext,
): Promise<ComponentContext> {
  const { label, credential, inputs } = definition
  const id = [config[CREDENTIAL_ID], config.credential].find((value) => typeof value === 'string' && value !== '')
  if (credential && !id && !credential.optional) throw new Error(`${label}: choose a credential`)
  const fields = credential && id ? await readCredential(id as string) : {}
  if (!fields) throw new Error(`${label}: the chosen credential does not exist. Choose a credential.`)
  const defaults = inputs.flatMap(({ name, default: value }) => (value === undefined ? [] : [[name, value]]))
  return { ...context, config: withVariables({ ...Object.fromEntries(defaults), ...config }), credential: fields }
}

/** Undefined where no embeddings are chosen: the store is searched by keyword only. */
export async function openEmbeddings(chosen: string | null, context: PartsContext): Promise<Embeddings | undefined> {
  const choice = parseChoice(chosen)
  if (!choice) return undefined
  const type = named(embedders, choice, 'embeddings')
  return type.open(await openContext(type, choice.config, context))
}

/** Undefined where vectors are kept in the store's own search index. */
export async function openVectorStore(chosen: string | null, context: PartsContext): Promise<VectorStore | undefined> {
  const choice = parseChoice(chosen)
  if (!choice) return undefined
  const type = named(vectorStores, choice, 'vector store')
  return type.open?.(await openContext(type, choice.config, context))
}

/** Throws an Error that says what to do when this installation has no such component. */
export function named<Type extends { definition: { name: string } }>(
  types: readonly Type[],
  { name }: Pick<Choice, 'name'>,
  kind: string,
): Type {
  const type = types.find(({ definition }) => definition.name === name)
  if (!type) throw new Error(`The ${kind} "${name}" does not exist here. Choose another one in the document store.`)
  return type
}

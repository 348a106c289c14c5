/** Components that agent flows choose by name, as nodes of chat flows, with the same inputs. */
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { mediaSupportOfModel } from '#contract/predictions/uploads.ts'
import type { SplitterType } from '../../knowledge/types.ts'
import type { EmbedderType } from '../../models/embeddings/types.ts'
import type { ModelProvider } from '../../models/types.ts'
import type { ToolType } from '../../tools/types.ts'
import type { ComponentNodeType, StepContext } from '../types.ts'
import { cachedModel } from './cache/cached-model.ts'
import { cacheAnchor } from './cache/definition.ts'
import { openComponentAt, toComponent } from './component-types.ts'

export function modelComponent({ definition, credential, open }: ModelProvider): ComponentNodeType {
  return {
    definition: { ...definition, inputs: [cacheAnchor, ...definition.inputs] },
    credential,
    async provide(context) {
      const { inputs: config, egress } = context
      const opened = await open({ config, credential: await credentialFields(context, definition), egress })
      const cache = await openComponentAt(context, 'cache', 'cache')
      const model = cache ? cachedModel(opened, cache, context) : opened
      return toComponent('model', { open: model, media: mediaSupportOfModel(definition.name, config) })
    },
  }
}

export function embedderComponent({ definition, credential, open }: EmbedderType): ComponentNodeType {
  return {
    definition,
    credential,
    provide: async (context) => toComponent('embeddings', open(await componentContext(context, definition))),
  }
}

export function splitterComponent({ definition, split }: SplitterType): ComponentNodeType {
  return {
    definition,
    provide: async ({ inputs }) => toComponent('splitter', (document) => split(document, inputs)),
  }
}

export function toolComponent({ definition, credential, open }: ToolType): ComponentNodeType {
  return {
    definition,
    credential,
    async provide(context) {
      const { sandbox, flows, components } = context
      const own = components.own
      return toComponent('tools', await open({ ...(await componentContext(context, definition)), sandbox, flows, own }))
    },
  }
}

/** Returns what a component is opened with: the inputs and the credential of its node. */
export async function componentContext(context: StepContext, definition: ComponentDefinition) {
  const { inputs: config, egress, clock, signal } = context
  return { config, credential: await credentialFields(context, definition), egress, clock, signal }
}

/** Returns the decrypted fields, or an empty object where the credential is optional. Throws an Error that names the node. */
export async function credentialFields(
  { components, node }: StepContext,
  { credential }: Pick<ComponentDefinition, 'credential'>,
): Promise<Record<string, unknown>> {
  const fields = await components.credential()
  if (credential && !credential.optional && Object.keys(fields).length === 0)
    throw new Error(`${node.label}: choose a credential`)
  return fields
}

/** The model and the credential that an assistant gets by itself. Pure. */
import { createNode } from '#contract/flow/document/create.ts'
import { type KnownCredential, onlyCredentialFor, withFirstChoices } from '#contract/flow/document/first-choices.ts'
import { CREDENTIAL_ID } from '#contract/flow/document/serialize.ts'
import { AGENT } from '#contract/flow/kinds/agentflow/nodes.ts'
import { type CustomDetails, readCustomDetails, withChoices } from '#contract/flow/kinds/assistant/details.ts'
import { assistant } from '#contract/flow/kinds/assistant/kind.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { componentsByName } from '#contract/flow/params/params.ts'

/** Returns the model of a new assistant: as that of a new Agent node, or undefined when several would do. */
export function firstModel(
  definitions: readonly ComponentDefinition[],
  credentials: readonly KnownCredential[],
): CustomDetails['chatModel'] {
  const agent = definitions.find(({ name }) => name === AGENT)
  if (!agent) return undefined
  const made = createNode(agent, { nodes: [], position: { x: 0, y: 0 } }, assistant)
  const { data } = withFirstChoices(made, { components: componentsByName(definitions), credentials })
  if (!data.inputs?.agentModel) return undefined
  return withChoices(readCustomDetails('{}'), data.inputs).chatModel
}

/** Returns the change with the only credential that fits the model it chooses. */
export function withOnlyCredential(
  patch: Readonly<Record<string, unknown>>,
  {
    definitions,
    credentials,
  }: { definitions: ReadonlyMap<string, ComponentDefinition>; credentials: readonly KnownCredential[] },
): Record<string, unknown> {
  const definition = definitions.get(String(patch.agentModel ?? ''))
  const only = definition && onlyCredentialFor(definition, credentials)
  if (!only) return { ...patch }
  const config = patch.agentModelConfig as Record<string, unknown> | undefined
  return { ...patch, agentModelConfig: { ...config, [CREDENTIAL_ID]: only.id } }
}

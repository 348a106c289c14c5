/** Lists every component that the canvas offers, and every credential type. */
import type { ComponentDefinition, CredentialDefinition } from '#contract/flow/params/definition.ts'
import { models } from '../models/index.ts'
import { tools } from '../tools/index.ts'
import { nodes } from './index.ts'

export function componentDefinitions(): ComponentDefinition[] {
  return [...nodes, ...models, ...tools].map(({ definition }) => definition)
}

/** Returns each credential type once, sorted by label. */
export function credentialDefinitions(): CredentialDefinition[] {
  const offered = [
    ...nodes.flatMap(({ credentials = [] }) => credentials),
    ...[...models, ...tools].flatMap(({ credential }) => credential ?? []),
  ]
  const byName = new Map(offered.map((credential) => [credential.name, credential]))
  return [...byName.values()].sort((a, b) => a.label.localeCompare(b.label))
}

/** Lists every component that the canvas offers, and every credential type. */
import type { ComponentDefinition, CredentialDefinition } from '#contract/flow/params/definition.ts'
import { models } from '../models/index.ts'
import { tools } from '../tools/index.ts'
import { nodes } from './index.ts'

let byName: ReadonlyMap<string, ComponentDefinition> | undefined

function definitionsByName(): ReadonlyMap<string, ComponentDefinition> {
  byName ??= new Map([...nodes, ...models, ...tools].map(({ definition }) => [definition.name, definition]))
  return byName
}

export function componentDefinitions(): ComponentDefinition[] {
  return [...definitionsByName().values()]
}

export function findComponent(name: string): ComponentDefinition | undefined {
  return definitionsByName().get(name)
}

export function componentsIn(category: string): ComponentDefinition[] {
  return componentDefinitions().filter((definition) => definition.category === category)
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

/** Lists every component that the canvas offers, and every credential type. */
import type { ComponentDefinition, CredentialDefinition } from '#contract/flow/params/definition.ts'
import { knowledgeComponents } from '../knowledge/index.ts'
import { loaders } from '../knowledge/loaders/index.ts'
import { models } from '../models/index.ts'
import { tools } from '../tools/index.ts'
import { nodes } from './index.ts'

let byName: ReadonlyMap<string, ComponentDefinition> | undefined

function definitionsByName(): ReadonlyMap<string, ComponentDefinition> {
  byName ??= new Map(
    [...nodes, ...models, ...tools, ...knowledgeComponents].map(({ definition }) => [definition.name, definition]),
  )
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

/** Returns each credential type once with what uses it, sorted by label. */
export function credentialDefinitions(): CredentialDefinition[] {
  credentialTypes ??= [...credentialTypesByName().values()].sort((a, b) => a.label.localeCompare(b.label))
  return credentialTypes
}

export function findCredentialType(name: string): CredentialDefinition | undefined {
  return credentialDefinitions().find((definition) => definition.name === name)
}

let credentialTypes: CredentialDefinition[] | undefined

function credentialTypesByName(): Map<string, CredentialDefinition> {
  const byName = new Map<string, CredentialDefinition>()
  const offer = (credential: CredentialDefinition, { label, category }: ComponentDefinition) => {
    const known = byName.get(credential.name) ?? { category, ...credential }
    byName.set(credential.name, { ...known, usedBy: [...(known.usedBy ?? []), label] })
  }
  for (const { definition, credential } of [...models, ...tools, ...knowledgeComponents, ...loaders])
    if (credential) offer(credential, definition)
  for (const { definition, credentials = [] } of nodes)
    for (const credential of credentials) offer(credential, definition)
  return byName
}

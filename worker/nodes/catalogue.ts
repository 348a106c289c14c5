/** Lists every component that the canvas offers, and every credential type. */
import type { ComponentDefinition, CredentialDefinition } from '#contract/flow/params/definition.ts'
import { loaders } from '../knowledge/loaders/index.ts'
import { rerankers } from '../knowledge/rerankers/index.ts'
import { vectorStores } from '../knowledge/vector-stores/index.ts'
import { speechCredentials } from '../models/speech/index.ts'
import { componentNodes } from './chatflow/registry.ts'
import { nodes } from './index.ts'

/** Components of document stores. Where a node of chat flows stands for one, its definition is the node's. */
const stores = [...vectorStores, ...rerankers]

let byName: ReadonlyMap<string, ComponentDefinition> | undefined

function definitionsByName(): ReadonlyMap<string, ComponentDefinition> {
  byName ??= new Map([...stores, ...nodes, ...componentNodes].map(({ definition }) => [definition.name, definition]))
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

type Offered = Pick<ComponentDefinition, 'label' | 'category'>

function credentialTypesByName(): Map<string, CredentialDefinition> {
  const byName = new Map<string, CredentialDefinition>()
  const offer = (credential: CredentialDefinition, { label, category }: Offered) => {
    const known = byName.get(credential.name) ?? { category, ...credential }
    byName.set(credential.name, { ...known, usedBy: [...new Set([...(known.usedBy ?? []), label])] })
  }
  for (const { definition, credential } of [...componentNodes, ...stores, ...loaders])
    if (credential) offer(credential, definition)
  for (const { definition, credentials = [] } of nodes)
    for (const credential of credentials) offer(credential, definition)
  for (const { label, credential } of speechCredentials) offer(credential, { label, category: 'Speech' })
  return byName
}

/** The types of credentials that this version knows. */
import { HeddleError } from '#contract/errors.ts'
import type { CredentialDefinition } from '#contract/flow/params/definition.ts'
import { credentialDefinitions } from '../../nodes/catalogue.ts'

export function findDefinition(name: string): CredentialDefinition | undefined {
  return credentialDefinitions().find((definition) => definition.name === name)
}

export function definitionOf(name: string): CredentialDefinition {
  const definition = findDefinition(name)
  if (definition) return definition
  throw new HeddleError('bad_request', `credentialName: There is no credential type ${name}`, {
    field: 'credentialName',
  })
}

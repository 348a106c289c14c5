/** The credential types that this version supports. */
import { HeddleError } from '#contract/errors.ts'
import type { CredentialDefinition } from '#contract/flow/params/definition.ts'
import { findCredentialType } from '../../nodes/catalogue.ts'

export function requireDefinition(name: string): CredentialDefinition {
  const definition = findCredentialType(name)
  if (definition) return definition
  throw new HeddleError(
    'bad_request',
    `credentialName: Unknown credential type ${name}. Choose one of /components-credentials`,
    {
      field: 'credentialName',
    },
  )
}

/** What every component over a provider is: a definition for the canvas, a credential, and what its code gets. */
import type { ComponentDefinition, CredentialDefinition, ParamOption } from '#contract/flow/params/definition.ts'
import type { Clock, Egress } from '../ports/types.ts'

/** The input of a component: its values with their defaults, and its credential's fields. */
export interface ComponentContext {
  config: Record<string, unknown>
  credential: Record<string, unknown>
  egress: Egress
  clock: Clock
  signal: AbortSignal
}

export interface Component {
  definition: ComponentDefinition
  credential?: CredentialDefinition
  /** Loads the options of parameters with a `loadMethod`. Thrown errors are shown to the user. */
  loadMethods?: Record<string, (context: ComponentContext) => Promise<ParamOption[]>>
}

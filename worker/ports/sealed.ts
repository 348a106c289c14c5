/** What the master key itself encrypts. All other secrets are under the key of their workspace. */

/** The purpose that an identity provider's client secret is sealed for. */
export const SECRET_OF_PROVIDER = 'an identity provider'

/** Returns the purpose that the secret of a person's authenticator app is sealed for. */
export const secretOf = (userId: string): string => `authenticator ${userId}`

export interface SealedColumn {
  table: string
  column: string
  /** The table's key. */
  key: string
  /** Returns what a row's value is sealed for; undefined: it is a workspace's key. */
  purposeOf(key: string): string | undefined
}

/** Every column that a new master key must renew. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'workspaces', column: 'wrapped_key', key: 'id', purposeOf: () => undefined },
  { table: 'identity_providers', column: 'client_secret', key: 'id', purposeOf: () => SECRET_OF_PROVIDER },
  { table: 'authenticators', column: 'secret', key: 'user_id', purposeOf: secretOf },
]

/** Settings of nodes and of what they chose that may hold secrets: what a run tells of itself goes without them. */

/** Stands in their place. */
export const HIDDEN = '(hidden)'

const MAY_HOLD_SECRETS = /headers?$|^(mcpServerConfig|baseOptions)$|api_?key$|authorization|password|secret/i

/** A copy as plain data, without what may be secret, and without the ids of credentials. */
export function withoutSecrets<T extends object>(inputs: T): T {
  return JSON.parse(
    JSON.stringify(inputs, (key, value) => {
      if (key === 'FLOWISE_CREDENTIAL_ID') return undefined
      return MAY_HOLD_SECRETS.test(key) && value ? HIDDEN : value
    }),
  )
}

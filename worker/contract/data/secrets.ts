/** Removes possible secrets from the inputs of nodes before a run reports them. */

/** Replaces a secret. */
export const HIDDEN = '(hidden)'

const MAY_HOLD_SECRETS = /headers?$|^(mcpServerConfig|baseOptions)$|api_?key$|authorization|password|secret/i

/** Returns a copy as plain data, without possible secrets and credential ids. */
export function withoutSecrets<T extends object>(inputs: T): T {
  return JSON.parse(
    JSON.stringify(inputs, (key, value) => {
      if (key === 'FLOWISE_CREDENTIAL_ID') return undefined
      return MAY_HOLD_SECRETS.test(key) && value ? HIDDEN : value
    }),
  )
}

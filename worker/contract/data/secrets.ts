/** Removes possible secrets from the inputs of nodes before a run reports them. */

import { escapeHtml } from './text.ts'

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

/** Returns a secret as it appears in text, JSON, JSON within JSON, HTML and URLs. */
export function secretForms(secret: string): string[] {
  const text = secret.trim()
  const inJson = JSON.stringify(text).slice(1, -1)
  const inJsonText = JSON.stringify(inJson).slice(1, -1)
  const inHtml = escapeHtml(text)
  const inAddress = new URLSearchParams({ '': text }).toString().slice(1)
  const inPath = encodeURI(text.toWellFormed())
  const inPart = encodeURIComponent(text.toWellFormed())
  return [text, inJson, inJsonText, inHtml, inAddress, inPath, inPart]
}

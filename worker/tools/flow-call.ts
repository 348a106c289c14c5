/** What calling another flow needs, whoever calls it: a node or a tool. */

import type { CredentialDefinition, InputParam } from '#contract/flow/definition.ts'

/** Kept for the files that name it: flows of the workspace are called without a key. */
export const chatflowApi: CredentialDefinition = {
  label: 'Chatflow API',
  name: 'chatflowApi',
  version: 1,
  inputs: [{ label: 'Chatflow Api Key', name: 'chatflowApiKey', type: 'password' }],
}

export const agentflowApi: CredentialDefinition = {
  label: 'Agentflow API',
  name: 'agentflowApi',
  version: 1,
  inputs: [{ label: 'Agentflow Api Key', name: 'agentflowApiKey', type: 'password' }],
}

export function flowCredential({ name }: CredentialDefinition): InputParam {
  return {
    label: 'Connect Credential',
    name: 'credential',
    type: 'credential',
    credentialNames: [name],
    optional: true,
  }
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** @throws Error unless the address is empty or means this machine: flows of other servers are called by an HTTP step */
export function refuseOtherServer(baseUrl: unknown): void {
  const address = typeof baseUrl === 'string' ? baseUrl.trim() : ''
  if (address === '') return
  const host = URL.parse(address)?.hostname ?? address
  if (LOOPBACK.test(host)) return
  throw new Error(
    `Base URL: flows run here, not on ${host}. Empty this field to run a flow of this workspace, or call the other server with an HTTP node`,
  )
}

/** The JSON object of an Override Config field. @throws Error that names the field */
export function readOverrideConfig(value: unknown): Record<string, unknown> | undefined {
  if (value === undefined || value === null || value === '') return undefined
  try {
    const parsed: unknown = typeof value === 'string' ? JSON.parse(value) : value
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return parsed as Record<string, unknown>
  } catch {
    // Said below, together with JSON that is no object.
  }
  throw new Error('Override Config must be a JSON object, for example { "sessionId": "support" }')
}

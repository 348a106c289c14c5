/** What calling another flow needs, whoever calls it: a node or a tool. */

import type { InputParam } from '#contract/flow/params/definition.ts'
import { isRecord, tryParseJson } from '#contract/json.ts'

/** Files may name an address: empty and this machine's are fine, others are refused. */
export const baseUrlParam = (name: string): InputParam => ({
  label: 'Base URL',
  name,
  type: 'string',
  description: 'Leave it empty: the flow is one of this workspace',
  optional: true,
  legacy: true,
})

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
  const config = typeof value === 'string' ? tryParseJson(value) : value
  if (isRecord(config)) return config
  throw new Error('Override Config must be a JSON object, for example { "sessionId": "support" }')
}

/** Parameters for calling another flow, shared by the Execute Flow node and flow tools. */

import { isRecord, tryParseJson } from '#contract/data/json.ts'
import type { InputParam } from '#contract/flow/params/definition.ts'

/** Imported flows may set a base URL. Empty and loopback addresses are accepted, others rejected. */
export const baseUrlParam = (name: string): InputParam => ({
  label: 'Base URL',
  name,
  type: 'string',
  description: 'Leave empty. The flow is in this workspace.',
  optional: true,
  legacy: true,
})

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** @throws Error unless the URL is empty or a loopback address */
export function refuseOtherServer(baseUrl: unknown): void {
  const address = typeof baseUrl === 'string' ? baseUrl.trim() : ''
  if (address === '') return
  const host = URL.parse(address)?.hostname ?? address
  if (LOOPBACK.test(host)) return
  throw new Error(
    `Base URL: flows on ${host} can't be run from here. Clear this field to run a flow in this workspace, or call the other server with an HTTP node.`,
  )
}

/** Parses the Override config field. @throws Error that names the field unless it is a JSON object */
export function readOverrideConfig(value: unknown): Record<string, unknown> | undefined {
  if (value === undefined || value === null || value === '') return undefined
  const config = typeof value === 'string' ? tryParseJson(value) : value
  if (isRecord(config)) return config
  throw new Error('Override config must be a JSON object, for example { "sessionId": "support" }')
}

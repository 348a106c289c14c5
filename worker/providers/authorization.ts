import { textOf } from '../inputs/node-inputs.ts'

/** Returns the header that proves who asks, by the fields of an HTTP or OAuth 2 credential. */
export function authorization(fields: Record<string, unknown>): [string, string][] {
  const { basicAuthUsername, basicAuthPassword, access_token, token = access_token, key, value } = fields
  if (basicAuthUsername !== undefined) {
    const bytes = new TextEncoder().encode(`${textOf(basicAuthUsername)}:${textOf(basicAuthPassword)}`)
    return [['authorization', `Basic ${btoa(String.fromCharCode(...bytes))}`]]
  }
  if (token !== undefined) return [['authorization', `Bearer ${textOf(token)}`]]
  return key === undefined ? [] : [[textOf(key), textOf(value)]]
}

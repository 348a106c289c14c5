/** Groups, searches and describes the endpoints of the API. Pure. */
import type { OpenApiDocument, Operation } from '#contract/openapi.ts'

export interface ApiCall extends Operation {
  method: string
  /** Path relative to the server URL: `/chatflows/{id}`. */
  path: string
}

export interface CallGroup {
  name: string
  calls: ApiCall[]
}

/** Groups endpoints by tag, in the order of the document. */
export function groupByArea({ paths, tags }: OpenApiDocument): CallGroup[] {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  )
  const byTag = Map.groupBy(calls, (call) => call.tags[0])
  return tags.map(({ name }) => ({ name, calls: byTag.get(name) ?? [] }))
}

/** Returns the endpoints whose area, method, path, summary or permission contains every word of the query. */
export function searchCalls(groups: readonly CallGroup[], query: string): CallGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const holds = ({ method, path, summary, ...call }: ApiCall, name: string) => {
    const text = [name, method, path, summary, ...(call['x-permission'] ?? [])].join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
  }
  return groups
    .map(({ name, calls }) => ({ name, calls: calls.filter((call) => holds(call, name)) }))
    .filter(({ calls }) => calls.length > 0)
}

/** Returns a sentence about who can call the endpoint. */
export function accessOf({ security, ...call }: ApiCall): string {
  const permissions = call['x-permission'] ?? []
  if (permissions.length > 0) {
    return `API keys and users with ${permissions.length > 1 ? 'one of these permissions' : 'this permission'}:`
  }
  if (security.some((scheme) => 'directory' in scheme)) return 'Directories of an organization, with a token of theirs.'
  return security.length > 0 ? 'Signed-in users only, no API keys.' : 'No authentication required.'
}

/** Returns a curl command for the endpoint. `server` includes the base path: `https://host/api/v1`. */
export function buildCurl(call: ApiCall, server: string): string {
  const { method, path, parameters, requestBody, security } = call
  const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required)
  const query = required.map(({ name }) => `${name}=…`).join('&')
  const json = requestBody?.content['application/json']
  const takesKey = security.some((scheme) => 'apiKey' in scheme)
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quote(server + path + (query && `?${query}`))}`,
    ...(security.some((scheme) => 'directory' in scheme) ? [`-H ${quote('Authorization: Bearer <token>')}`] : []),
    ...(takesKey ? [`-H ${quote('Authorization: Bearer <API key>')}`] : []),
    ...(json
      ? [`-H ${quote('Content-Type: application/json')}`, `-d ${quote(JSON.stringify(json.example ?? {}, null, 2))}`]
      : []),
  ].join(' \\\n  ')
}

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** Reads an OpenAPI specification from a link, an uploaded file or pasted text, in JSON or YAML. */
import { withoutTrailing } from '#contract/data/text.ts'
import { text } from '../../inputs/component-config.ts'
import { callService, type Network } from '../../providers/json-api.ts'

export type Json = Record<string, unknown>

export interface Spec {
  document: Json
  /** The URL it was read from, the base of relative server URLs. */
  link?: string
}

const SERVICE = 'OpenAPI Toolkit'

/** Returns the specification. @throws Error that says what to fix */
export async function readSpec(config: Json, network: Network): Promise<Spec> {
  if ((text(config, 'inputType') ?? 'file') === 'file') return { document: await parseSpec(fileText(config)) }
  const link = text(config, 'openApiLink')
  if (!link) throw new Error(`${SERVICE}: OpenAPI link is empty`)
  const answer = await callService({ service: `${SERVICE}: the link`, url: link }, network)
  return { document: await parseSpec(await answer.text()), link }
}

/** Returns the file's text. A file is stored as a data URL followed by its name (`…,filename:api.yaml`), or as plain text. */
function fileText(config: Json): string {
  const file = text(config, 'openApiFile')
  if (!file) throw new Error(`${SERVICE}: choose an OpenAPI file`)
  if (file.startsWith('FILE-STORAGE::'))
    throw new Error(
      `${SERVICE}: the file ${file.slice(14)} is stored on the server the flow was exported from. Choose it again.`,
    )
  const [, base64] = /^\[?"?data:[^,]*,([^,"]*)/.exec(file) ?? []
  if (base64 === undefined) return file
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)))
  } catch {
    throw new Error(`${SERVICE}: the OpenAPI file could not be read. Choose it again.`)
  }
}

async function parseSpec(written: string): Promise<Json> {
  const document = await parse(written)
  if (!isJson(document) || !isJson(document.paths))
    throw new Error(
      isJson(document) && typeof document.swagger === 'string'
        ? `${SERVICE}: this is Swagger ${document.swagger}. Convert it to OpenAPI 3.`
        : `${SERVICE}: this is not an OpenAPI specification: it has no "paths"`,
    )
  if (document.swagger !== undefined)
    throw new Error(`${SERVICE}: this is Swagger ${document.swagger}. Convert it to OpenAPI 3.`)
  return document
}

async function parse(written: string): Promise<unknown> {
  if (/^\s*[{[]/.test(written)) {
    try {
      return JSON.parse(written)
    } catch {
      // It may be YAML in flow style.
    }
  }
  const { parseYaml } = await import('../../text/yaml.ts')
  try {
    return parseYaml(written)
  } catch (error) {
    const [reason] = error instanceof Error ? error.message.split('\n') : []
    throw new Error(`${SERVICE}: the specification is neither JSON nor YAML: ${reason}`)
  }
}

/** Returns the servers with absolute URLs. */
export function listServers({ document, link }: Spec): { url: string; description?: string }[] {
  const servers = Array.isArray(document.servers) ? document.servers.filter(isJson) : []
  // By default the API is on the server of the specification.
  if (servers.length === 0 && link) servers.push({ url: '/' })
  return servers.flatMap((server) => {
    const url = absolute(filled(server), link)
    return url ? { url, description: typeof server.description === 'string' ? server.description : undefined } : []
  })
}

/** Replaces variables in a server URL with their defaults. */
function filled({ url, variables }: Json): string {
  const values = isJson(variables) ? variables : {}
  return String(url ?? '').replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const variable = Object.hasOwn(values, name) ? values[name] : undefined
    return isJson(variable) && variable.default !== undefined ? String(variable.default) : whole
  })
}

/** Returns the absolute URL without a trailing slash, or undefined when a relative URL has no base. */
export function absolute(url: string, link: string | undefined): string | undefined {
  const address = URL.parse(url, link)
  return address ? withoutTrailing(address.href, '/') : undefined
}

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

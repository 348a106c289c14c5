/** An OpenAPI description: read from a link, an uploaded file or pasted text, in JSON or YAML. */
import { withoutTrailing } from '#contract/text.ts'
import { text } from '../../models/config.ts'
import { callService, type Network } from '../web/json-api.ts'

export type Json = Record<string, unknown>

export interface Spec {
  document: Json
  /** Where it was read from: what relative server addresses start from. */
  link?: string
}

const SERVICE = 'OpenAPI Toolkit'

/** @throws Error that says what to correct */
export async function readSpec(config: Json, outside: Network): Promise<Spec> {
  if ((text(config, 'inputType') ?? 'file') === 'file') return { document: await parseSpec(fileText(config)) }
  const link = text(config, 'openApiLink')
  if (!link) throw new Error(`${SERVICE}: OpenAPI Link is empty`)
  const answer = await callService({ service: `${SERVICE}: the link`, url: link }, outside)
  return { document: await parseSpec(await answer.text()), link }
}

/** A file is kept as a data URL with its name behind (`…,filename:api.yaml`); a description may stand there as it is, too. */
function fileText(config: Json): string {
  const file = text(config, 'openApiFile')
  if (!file) throw new Error(`${SERVICE}: choose an OpenAPI File`)
  if (file.startsWith('FILE-STORAGE::'))
    throw new Error(
      `${SERVICE}: the file ${file.slice(14)} is not here but on the server that the flow comes from. Choose it again.`,
    )
  const [, base64] = /^\[?"?data:[^,]*,([^,"]*)/.exec(file) ?? []
  if (base64 === undefined) return file
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)))
  } catch {
    throw new Error(`${SERVICE}: the OpenAPI File cannot be read. Choose it again.`)
  }
}

async function parseSpec(written: string): Promise<Json> {
  const document = await parse(written)
  if (!isJson(document) || !isJson(document.paths))
    throw new Error(
      isJson(document) && typeof document.swagger === 'string'
        ? `${SERVICE}: this is Swagger ${document.swagger}. Convert it to OpenAPI 3.`
        : `${SERVICE}: this is not an OpenAPI description: it has no paths`,
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
      // Flow style YAML looks alike.
    }
  }
  const { parseYaml } = await import('./yaml.ts')
  try {
    return parseYaml(written)
  } catch (thrown) {
    const [reason] = thrown instanceof Error ? thrown.message.split('\n') : []
    throw new Error(`${SERVICE}: the description is neither JSON nor YAML: ${reason}`)
  }
}

/** The addresses at which the API is said to be. */
export function serversOf({ document, link }: Spec): { url: string; description?: string }[] {
  const servers = Array.isArray(document.servers) ? document.servers.filter(isJson) : []
  // Where none is named, the API is where its description is.
  if (servers.length === 0 && link) servers.push({ url: '/' })
  return servers.flatMap((server) => {
    const url = absolute(filled(server), link)
    return url ? { url, description: typeof server.description === 'string' ? server.description : undefined } : []
  })
}

/** Variables of an address have a default each. */
function filled({ url, variables }: Json): string {
  const values = isJson(variables) ? variables : {}
  return String(url ?? '').replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const variable = Object.hasOwn(values, name) ? values[name] : undefined
    return isJson(variable) && variable.default !== undefined ? String(variable.default) : whole
  })
}

/** Without a slash at the end; undefined when the address is relative and nothing is known that it could start from. */
export function absolute(url: string, link: string | undefined): string | undefined {
  const address = URL.parse(url, link)
  return address ? withoutTrailing(address.href, '/') : undefined
}

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

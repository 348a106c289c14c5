/** Where the secrets of a credential may be sent: hosts, each exact or `*.` and a domain, with a port or for every port. Pure. */
import type { CredentialDefinition } from '../flow/params/definition.ts'

/** A host, or what one says instead of it in a form: `*.example.com`, `localhost:8080`. */
const HOST = /^(\*\.)?(\[[0-9a-f:.]{2,45}\]|[^\s/?#@\\:[\]*]{1,253})(?::(\d{1,5}))?$/i

const addressOf = (text: string) => (/^https?:\/\//i.test(text.trim()) ? URL.parse(text.trim()) : null)

/** Returns the host of an address that says more than its host, which a list of hosts would lose: a path or a query. */
export function hostOfPath(text: string): string | undefined {
  const { host, pathname, search, hash } = addressOf(text) ?? {}
  return host !== undefined && `${pathname}${search}${hash}` !== '/' ? normalHost(host) : undefined
}

/**
 * Returns the host as it is stored and compared, of a pasted address its host; undefined when it is none, or an address with
 * a path.
 */
export function normalHost(text: string): string | undefined {
  if (hostOfPath(text) !== undefined) return undefined
  const [, wildcard = '', name = '', port] = HOST.exec(addressOf(text)?.host ?? text.trim()) ?? []
  const hostname = name === '' ? undefined : URL.parse(`http://${name}`)?.hostname
  if (
    !hostname ||
    hostname.startsWith('.') ||
    hostname.endsWith('.') ||
    Number(port ?? 1) > 65_535 ||
    Number(port ?? 1) < 1
  )
    return undefined
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname)
  if (wildcard && (isAddress || !hostname.includes('.'))) return undefined
  return `${wildcard}${hostname}${port === undefined ? '' : `:${Number(port)}`}`
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

/** @param hosts as `normalHost` returns them */
export function isAllowedHost(hosts: readonly string[], { hostname, port, protocol }: URL): boolean {
  return hosts.some((host) => {
    const [, wildcard, name, only] = HOST.exec(host) ?? []
    if (only !== undefined && only !== (port || DEFAULT_PORTS[protocol])) return false
    return wildcard ? hostname.endsWith(`.${name}`) : hostname === name
  })
}

/** Returns a value that is part of a host, or what makes it none. */
const labelOf = (value: string) => (/^[\w-]+$/.test(value) ? value : '/')

/** The consent page, which a browser opens: it gets no secret. */
const OPENED_BY_BROWSER = 'authorizationUrl'

/** Returns the hosts that a credential is for by its type and its fields: its provider's, and those of its addresses. */
export function givenHosts(definition: CredentialDefinition, fields: Readonly<Record<string, unknown>>): string[] {
  const fieldOf = (name: string) => {
    const value = fields[name] || definition.inputs.find((input) => input.name === name)?.default
    return typeof value === 'string' ? value.trim() : ''
  }
  const providers = (definition.hosts ?? []).map((host) =>
    host.replace(/\{(\w+)\}/, (_, name) => labelOf(fieldOf(name))),
  )
  const addresses = definition.inputs
    .filter(({ isAddress, name }) => isAddress && name !== OPENED_BY_BROWSER)
    .flatMap(({ name }) => (/^https?:\/\//i.test(fieldOf(name)) ? [fieldOf(name)] : []))
  const hosts = [...providers, ...addresses].flatMap((host) => hostOfPath(host) ?? normalHost(host) ?? [])
  return [...new Set(hosts)]
}

/** Returns the hosts that are stored where nobody has named any: none besides the given ones; null (any) where its type knows none. */
export function standardHosts({ hosts }: CredentialDefinition): string[] | null {
  return hosts ? [] : null
}

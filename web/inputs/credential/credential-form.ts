/** Values and checks of the credential form. Pure. */
import { givenHosts, hostOfPath, isAllowedHost, normalHost } from '#contract/credentials/hosts.ts'
import type { CredentialDefinition } from '#contract/flow/params/definition.ts'
import { type FormErrors, fieldErrors } from '../../ui/forms/form-errors.ts'

/** Unchanged secrets are undefined. */
type FieldValues = Record<string, string | undefined>

/** Returns the initial values: stored ones without secrets, or the defaults of the type. */
export function initialValues(definition: CredentialDefinition, stored?: Record<string, string>): FieldValues {
  return Object.fromEntries(
    definition.inputs.map(({ name, type, default: standard }) => {
      if (!stored) return [name, standard === undefined ? '' : String(standard)]
      return [name, type === 'password' && stored[name] ? undefined : (stored[name] ?? '')]
    }),
  )
}

interface HostsSource {
  /** The credential to edit. */
  credential?: { hosts: string[] | null } | undefined
  /** Where the node that it is for sends it. */
  address?: string | undefined
}

/** One host per line; null: any; undefined: nobody has chosen yet. */
export type Hosts = string | null | undefined

/**
 * Returns where the secret may be sent: for a new credential, where its type and its node say. A type for any service says
 * nothing, so whoever makes it must choose.
 */
export function initialHosts(definition: CredentialDefinition, { credential, address }: HostsSource): Hosts {
  if (credential) return credential.hosts?.join('\n') ?? null
  const url = address === undefined ? null : URL.parse(address)
  if (!url) return definition.hosts ? '' : undefined
  return isAllowedHost(givenHosts(definition, {}), url) ? '' : url.host
}

const linesOf = (hosts: string) => hosts.split(/[\s,]+/).filter(Boolean)

/** Returns the hosts as they are stored. */
export function hostsToSend(hosts: Hosts): string[] | null | undefined {
  return typeof hosts !== 'string' ? hosts : [...new Set(linesOf(hosts).map((line) => normalHost(line) ?? line))]
}

/** Returns what is wrong with the hosts, if anything. */
function hostsProblem(hosts: Hosts, given: readonly string[]): string | false {
  if (hosts === undefined) return 'Choose where the secret may be sent.'
  if (hosts === null) return false
  const wrong = linesOf(hosts).find((line) => normalHost(line) === undefined)
  const host = wrong && hostOfPath(wrong)
  if (host) return `“${wrong}” has a path. The secret may be sent to every path of a host: enter ${host}.`
  if (wrong !== undefined) return `“${wrong}” is no host. Enter one like api.example.com or *.example.com.`
  return given.length === 0 && linesOf(hosts).length === 0 && 'Enter a host, or choose “Any host”.'
}

export interface CredentialValues {
  name: string
  fields: FieldValues
  hosts: Hosts
}

export function checkCredential(
  { name, fields: values, hosts }: CredentialValues,
  definition: CredentialDefinition,
): FormErrors {
  const missing = definition.inputs.filter((input) => !input.optional && values[input.name]?.trim() === '')
  return fieldErrors({
    name: name.trim() === '' && 'Enter a name.',
    hosts: hostsProblem(hosts, givenHosts(definition, values)),
    ...Object.fromEntries(missing.map((input) => [input.name, `Enter the ${input.label}.`])),
  })
}

/** Returns the fields to send, without unchanged secrets. */
export function fieldsToSend(values: FieldValues): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/** Returns the error of a field, which the server names by path: `plainDataObj.apiKey`. */
export function errorOfField(errors: FormErrors, name: string): string | undefined {
  return errors.fields[name] ?? errors.fields[`plainDataObj.${name}`]
}

const BASE_PATH = /^base_?path$/i
const ADDRESS = /(url|endpoint)$/i

/** Returns what a test asks at the address that a node is set to; undefined when it is set to none. */
export function testAddress(inputs: Readonly<Record<string, unknown>>): string | undefined {
  const addresses = Object.entries(inputs).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && /^https?:\/\/[^{]+$/i.test(entry[1]) && URL.canParse(entry[1]),
  )
  const base = addresses.find(([name]) => BASE_PATH.test(name))
  if (base) return `${base[1].replace(/\/$/, '')}/models`
  return addresses.find(([name]) => ADDRESS.test(name))?.[1]
}

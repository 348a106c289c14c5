/** Checks the hosts of outgoing requests. Pure: the network checks the addresses that public names resolve to. */
import ipaddr from 'ipaddr.js'

/** Suffixes of names in private networks. */
const PRIVATE_SUFFIXES = ['localhost', 'local', 'internal', 'intranet', 'lan', 'home', 'corp', 'private', 'home.arpa']
/** Addresses in a public range that lead to the host: Azure's WireServer. */
const PRIVATE_ADDRESSES = ['168.63.129.16']
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parse('2000::')

/** An address that is not allowed. Thrown before anything is sent, with a message for people. */
class RefusedAddress extends Error {
  override readonly name = 'RefusedAddress'
}

/**
 * Parses and checks the address of one hop.
 * @param allowPrivateHosts `host` or `host:port`, lower case
 * @returns the address, and whether it is one of the allowed private hosts
 * @throws RefusedAddress
 */
export function checkAddress(address: string, allowPrivateHosts: readonly string[]): { url: URL; isPrivate: boolean } {
  const url = parse(address)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new RefusedAddress(`${url.protocol}// is not allowed. Use an http or https address.`)
  if (url.username || url.password)
    throw new RefusedAddress('A username or password in the URL is not allowed. Use a credential or a header.')
  if (url.hostname.endsWith('.')) throw new RefusedAddress(`${url.hostname} ends with a dot. Remove it.`)

  const isPrivate = isPrivateHost(url.hostname)
  if (isPrivate && !isAllowed(url, allowPrivateHosts))
    throw new RefusedAddress(
      `${url.hostname} is a private address. To allow it, start Heddle with ALLOW_PRIVATE_HOSTS=${hostAndPort(url)}`,
    )
  return { url, isPrivate }
}

function parse(address: string): URL {
  try {
    return new URL(address)
  } catch {
    throw new RefusedAddress(`"${address.slice(0, 200)}" is not a valid URL. Use one like https://example.com/path.`)
  }
}

/** @param hostname as normalized by `URL`: IPv4 in dotted decimal, IPv6 in brackets */
function isPrivateHost(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '')
  if (!ipaddr.isValid(bare)) return isPrivateName(bare)
  const ip = ipaddr.parse(bare)
  if (PRIVATE_ADDRESSES.includes(ipaddr.process(bare).toString())) return true
  return ip.range() !== 'unicast' || (ip instanceof ipaddr.IPv6 && !ip.match(GLOBAL_UNICAST_V6, 3))
}

function isPrivateName(name: string): boolean {
  return !name.includes('.') || PRIVATE_SUFFIXES.some((suffix) => name === suffix || name.endsWith(`.${suffix}`))
}

function isAllowed(url: URL, allowPrivateHosts: readonly string[]): boolean {
  return allowPrivateHosts.includes(url.hostname) || allowPrivateHosts.includes(hostAndPort(url))
}

function hostAndPort(url: URL): string {
  return `${url.hostname}:${url.port || (url.protocol === 'https:' ? 443 : 80)}`
}

/** The networks that workerd connects to, without the worker that Miniflare puts before its own. */
import { readFileSync } from 'node:fs'
import { rootCertificates } from 'node:tls'

/**
 * workerd resolves the name and refuses private addresses when it connects, so that no public name leads into the
 * network of this machine. Trusts the same certificates as Node, including `NODE_EXTRA_CA_CERTS`.
 */
export const publicNetwork = () => networkTo(['public'])

/** Every address, for the database and allowed private hosts. Trusts the same certificates. */
export const wholeNetwork = () => networkTo(['public', 'private'])

function networkTo(allow: string[]) {
  const extra = process.env.NODE_EXTRA_CA_CERTS
  const fromSystem = process.platform === 'win32' ? rootCertificates : []
  const trustedCertificates = [...fromSystem, ...(extra ? certificatesOf(readFileSync(extra, 'utf8')) : [])]
  return { network: { allow, tlsOptions: { trustBrowserCas: true, trustedCertificates } } }
}

function certificatesOf(pem: string): string[] {
  return pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? []
}

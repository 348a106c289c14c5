/** What workerd may connect to when the product calls the outside. */
import { readFileSync } from 'node:fs'
import { rootCertificates } from 'node:tls'

/**
 * workerd resolves the name and refuses to connect when the address is private, so that no public name can lead into
 * this machine's own network. Trusts what Node trusts, a proxy's certificate in `NODE_EXTRA_CA_CERTS` included.
 */
export function publicNetwork() {
  const extra = process.env.NODE_EXTRA_CA_CERTS
  const fromSystem = process.platform === 'win32' ? rootCertificates : []
  const trustedCertificates = [...fromSystem, ...(extra ? certificatesOf(readFileSync(extra, 'utf8')) : [])]
  return { network: { allow: ['public'], tlsOptions: { trustBrowserCas: true, trustedCertificates } } }
}

function certificatesOf(pem: string): string[] {
  return pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? []
}

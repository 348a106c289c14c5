/** Decides which addresses of answers and settings may be followed or shown. Pure. */

const SAFE = new Set(['http:', 'https:', 'mailto:'])

/** Returns the address when following it can run nothing: http, https and mailto. */
export function safeLink(address: string): string | undefined {
  const url = URL.parse(address)
  return url && SAFE.has(url.protocol) ? url.href : undefined
}

/** Returns the address of an image on the web or in itself. Scripts in images never run, in SVG neither. */
export function safeImage(address: string | undefined): string | undefined {
  if (address && /^data:image\/(?:png|jpeg|gif|webp|svg\+xml);base64,/.test(address)) return address
  const url = address ? URL.parse(address) : null
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined
}

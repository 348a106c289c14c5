/** Parses Cloudflare's `_headers` file, so that one machine sends the same headers as the cloud. */

export interface HeaderRule {
  pattern: RegExp
  headers: [name: string, value: string][]
}

/**
 * A rule is a path (`*` for anything, `:name` for one segment), followed by its indented headers. Throws for other
 * lines.
 */
export function parseHeadersFile(text: string): HeaderRule[] {
  const rules: HeaderRule[] = []
  for (const line of text.split('\n')) {
    if (!line.trim() || line.trimStart().startsWith('#')) continue
    const header = /^\s+([\w-]+)\s*:\s*(.+?)\s*$/.exec(line)
    if (header) rules.at(-1)?.headers.push([header[1] as string, header[2] as string])
    else if (line.startsWith('/')) rules.push({ pattern: toPattern(line.trim()), headers: [] })
    else throw new Error(`_headers: "${line}" is neither a path nor an indented header`)
  }
  return rules
}

/** Returns the headers of all matching rules; later rules override earlier ones. */
export function headersFor(rules: HeaderRule[], path: string): Headers {
  const headers = new Headers()
  for (const rule of rules) {
    if (!rule.pattern.test(path)) continue
    for (const [name, value] of rule.headers) headers.set(name, value)
  }
  return headers
}

/**
 * Returns the file for pages whose API has another origin: they may call it and show its images.
 * @param apiBase absolute: `https://api.example.com`
 */
export function allowApi(text: string, apiBase: string): string {
  const { protocol, origin } = URL.parse(apiBase) ?? {}
  if (!/^https?:$/.test(protocol ?? '')) {
    throw new Error(`VITE_API_BASE_URL is "${apiBase}", but must be an address such as https://api.example.com`)
  }
  return ['connect-src', 'img-src'].reduce((policy, directive) => {
    const own = `${directive} 'self'`
    if (!policy.includes(own)) throw new Error(`_headers has no ${own} to add the API's origin to`)
    return policy.replace(own, `${own} ${origin}`)
  }, text)
}

/**
 * The file with a `Link` header for each path, which lets browsers load the page's files before its scripts ask for them.
 * Paths with parameters come first, so that a page of its own wins over one that takes its name for an id.
 */
export function addLinks(text: string, links: Map<string, string[]>): string {
  const paths = [...links].sort(([a], [b]) => Number(b.includes(':')) - Number(a.includes(':')))
  const rules = paths
    .filter(([, files]) => files.length > 0)
    .map(([path, files]) => `${path}\n  Link: ${files.map(linkTo).join(', ')}\n`)
  return `${[text.trimEnd(), ...rules].join('\n\n').trimEnd()}\n`
}

const linkTo = (file: string) =>
  `</${file}>; rel=${file.endsWith('.css') ? 'preload; as=style; crossorigin' : 'modulepreload'}`

function toPattern(path: string): RegExp {
  const source = path
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\*/g, '.*')
    .replace(/:[A-Za-z]\w*/g, '[^/]+')
  // A path may contain a line break, which `*` matches too.
  return new RegExp(`^${source}$`, 's')
}

/** Builds a curl command that calls a webhook, signed for its scheme. Pure. */
import type { WebhookSettings } from '#contract/triggers/settings.ts'

type Settings = Pick<
  WebhookSettings,
  'method' | 'contentType' | 'signature' | 'signatureHeader' | 'validation' | 'response'
>

/** Returns a shell snippet. Signed requests take several lines, with a placeholder for the secret. */
export function buildCurl(settings: Settings, address: string): string {
  const { method, signature, response } = settings
  const body = bodyOf(settings)
  const isSigned = signature !== 'none' && signature !== 'plain-token'
  const headers = [
    ...(body ? [`-H 'content-type: ${settings.contentType}'`] : []),
    ...(settings.validation?.headers ?? []).map(({ name }) => `-H ${shellQuote(`${name}: example`)}`),
    ...signatureHeaders(settings),
  ]
  const data = body ? [isSigned ? '--data-raw "$BODY"' : `--data-raw ${shellQuote(body)}`] : []
  const call = [`curl -sS${response === 'stream' ? ' -N' : ''} -X ${method} ${shellQuote(address + queryOf(settings))}`]
  const lines = [[...call, ...headers, ...data].join(' \\\n  ')]
  if (signature === 'none') return lines.join('\n')
  return [
    "SECRET='paste the secret here'",
    ...(isSigned ? [`BODY=${shellQuote(body)}`] : []),
    ...(TIMESTAMPED.has(signature) ? ['NOW=$(date +%s)'] : []),
    ...lines,
  ].join('\n')
}

const TIMESTAMPED: ReadonlySet<string> = new Set(['heddle', 'stripe', 'slack'])

const hmacOf = (signed: string) => `printf %s "${signed}" | openssl dgst -sha256 -hmac "$SECRET"`
const hexOf = (signed: string) => `$(${hmacOf(signed)} | sed 's/^.* //')`

function signatureHeaders({ signature, signatureHeader }: Settings): string[] {
  switch (signature) {
    case 'none':
      return []
    case 'plain-token':
      return [`-H "${signatureHeader}: $SECRET"`]
    case 'hmac-sha256':
      return [`-H "${signatureHeader}: ${hexOf('$BODY')}"`]
    case 'github':
      return [`-H "x-hub-signature-256: sha256=${hexOf('$BODY')}"`]
    case 'shopify':
      return [`-H "x-shopify-hmac-sha256: $(${hmacOf('$BODY')} -binary | base64)"`]
    case 'slack':
      return [`-H "x-slack-request-timestamp: $NOW"`, `-H "x-slack-signature: v0=${hexOf('v0:$NOW:$BODY')}"`]
    case 'heddle':
      return [`-H "x-heddle-signature: t=$NOW,v1=${hexOf('$NOW.$BODY')}"`]
    case 'stripe':
      return [`-H "stripe-signature: t=$NOW,v1=${hexOf('$NOW.$BODY')}"`]
  }
}

const EXAMPLES: Record<string, unknown> = { string: 'example', number: 1, boolean: true, object: {} }

const exampleValue = (type: string): unknown => {
  const item = /^array\[(.+)\]$/.exec(type)?.[1]
  return item ? [EXAMPLES[item]] : EXAMPLES[type]
}

/** A request that the webhook accepts, as its flow gets it. */
export const exampleRequest = (settings: Pick<WebhookSettings, 'method' | 'validation'>) => ({
  body: settings.method === 'GET' ? {} : exampleBody(settings),
  headers: Object.fromEntries((settings.validation?.headers ?? []).map(({ name }) => [name.toLowerCase(), 'example'])),
  query: Object.fromEntries((settings.validation?.query ?? []).map(({ name }) => [name, 'example'])),
})

function exampleBody({ validation }: Pick<WebhookSettings, 'validation'>): Record<string, unknown> {
  const expected = validation?.body ?? []
  const example: Record<string, unknown> = {}
  for (const { name, type } of expected) setPath(example, name.split('.'), exampleValue(type))
  return expected.length > 0 ? example : { hello: 'world' }
}

/** Returns an example body; empty for GET. */
function bodyOf(settings: Settings): string {
  const { method, contentType } = settings
  if (method === 'GET') return ''
  const values = exampleBody(settings)
  if (contentType === 'application/json') return JSON.stringify(values)
  return new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)])).toString()
}

function setPath(into: Record<string, unknown>, [first = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) into[first] = value
  else {
    const inner = into[first]
    const next = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {}
    into[first] = next
    setPath(next, rest, value)
  }
}

function queryOf({ validation }: Settings): string {
  const matchesTime = validation?.query ?? []
  return matchesTime.length > 0 ? `?${new URLSearchParams(matchesTime.map(({ name }) => [name, 'example']))}` : ''
}

/** Quotes text so that the shell takes it literally. */
const shellQuote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

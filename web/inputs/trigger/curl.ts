/** A request to a webhook as a line for a terminal, signed as its scheme wants it. Pure. */
import type { WebhookSettings } from '#contract/triggers/settings.ts'

type Settings = Pick<
  WebhookSettings,
  'method' | 'contentType' | 'signature' | 'signatureHeader' | 'validation' | 'response'
>

/** Texts of several lines where the request is signed: the secret is put in by whoever runs them. */
export function curlOf(settings: Settings, address: string): string {
  const { method, signature, response } = settings
  const body = bodyOf(settings)
  const isSigned = signature !== 'none' && signature !== 'plain-token'
  const headers = [
    ...(body ? [`-H 'content-type: ${settings.contentType}'`] : []),
    ...(settings.validation?.headers ?? []).map(({ name }) => `-H ${quoted(`${name}: example`)}`),
    ...proofOf(settings),
  ]
  const data = body ? [isSigned ? '--data-raw "$BODY"' : `--data-raw ${quoted(body)}`] : []
  const call = [`curl -sS${response === 'stream' ? ' -N' : ''} -X ${method} ${quoted(address + queryOf(settings))}`]
  const lines = [[...call, ...headers, ...data].join(' \\\n  ')]
  if (signature === 'none') return lines.join('\n')
  return [
    "SECRET='paste the secret here'",
    ...(isSigned ? [`BODY=${quoted(body)}`] : []),
    ...(TIMED.has(signature) ? ['NOW=$(date +%s)'] : []),
    ...lines,
  ].join('\n')
}

const TIMED: ReadonlySet<string> = new Set(['heddle', 'stripe', 'slack'])

const hmacOf = (signed: string) => `printf %s "${signed}" | openssl dgst -sha256 -hmac "$SECRET"`
const hexOf = (signed: string) => `$(${hmacOf(signed)} | sed 's/^.* //')`

function proofOf({ signature, signatureHeader }: Settings): string[] {
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

const exampleOf = (type: string): unknown => {
  const item = /^array\[(.+)\]$/.exec(type)?.[1]
  return item ? [EXAMPLES[item]] : EXAMPLES[type]
}

/** Empty for methods that have none. */
function bodyOf({ method, contentType, validation }: Settings): string {
  if (method === 'GET') return ''
  const expected = validation?.body ?? []
  const example: Record<string, unknown> = {}
  for (const { name, type } of expected) put(example, name.split('.'), exampleOf(type))
  const values = expected.length > 0 ? example : { hello: 'world' }
  if (contentType === 'application/json') return JSON.stringify(values)
  return new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)])).toString()
}

function put(into: Record<string, unknown>, [first = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) into[first] = value
  else {
    const inner = into[first]
    const next = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {}
    into[first] = next
    put(next, rest, value)
  }
}

function queryOf({ validation }: Settings): string {
  const names = validation?.query ?? []
  return names.length > 0 ? `?${new URLSearchParams(names.map(({ name }) => [name, 'example']))}` : ''
}

/** For a shell: nothing in it is read. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

import { describe, expect, it } from 'vitest'
import { webhookSettingsSchema } from '#contract/triggers/settings.ts'
import { buildCurl } from './curl.ts'

const address = 'https://heddle.example/api/v1/webhook/abc'
const line = (settings: object) =>
  buildCurl(webhookSettingsSchema.parse({ kind: 'webhook', input: { mode: 'none' }, ...settings }), address)

describe('the curl command of a webhook', () => {
  it('is a single command without a signature', () => {
    expect(line({})).toBe(
      `curl -sS -X POST '${address}' \\\n  -H 'content-type: application/json' \\\n  --data-raw '{"hello":"world"}'`,
    )
  })

  it('has no body for GET', () => {
    expect(line({ method: 'GET' })).toBe(`curl -sS -X GET '${address}'`)
  })

  it('sends the fields that the webhook expects', () => {
    const validation = {
      query: [{ name: 'page', required: true }],
      headers: [{ name: 'X-Tenant', required: true }],
      body: [
        { name: 'repository.name', type: 'string' },
        { name: 'repository.stars', type: 'number' },
        { name: 'labels', type: 'array[string]' },
      ],
    }
    const text = line({ validation, response: 'stream' })
    expect(text).toContain(`curl -sS -N -X POST '${address}?page=example'`)
    expect(text).toContain("-H 'X-Tenant: example'")
    expect(text).toContain(`'{"repository":{"name":"example","stars":1},"labels":["example"]}'`)
  })

  it('encodes form bodies', () => {
    expect(line({ contentType: 'application/x-www-form-urlencoded' })).toContain("--data-raw 'hello=world'")
  })

  it('escapes quotes for the shell', () => {
    const validation = { query: [], headers: [], body: [{ name: "it's", type: 'string' }] }
    expect(line({ validation })).toContain(`--data-raw '{"it'\\''s":"example"}'`)
  })

  it.each([
    ['github', 'x-hub-signature-256: sha256=$('],
    ['stripe', 'stripe-signature: t=$NOW,v1=$('],
    ['slack', 'x-slack-signature: v0=$(printf %s "v0:$NOW:$BODY"'],
    ['shopify', '-binary | base64)'],
    ['heddle', 'x-heddle-signature: t=$NOW,v1=$('],
    ['hmac-sha256', 'x-webhook-signature: $('],
  ])('signs the body for %s', (signature, part) => {
    const text = line({ signature })
    expect(text).toContain(part)
    expect(text).toContain("SECRET='paste the secret here'\nBODY='{")
    expect(text).toContain('--data-raw "$BODY"')
    expect(text.includes('NOW=$(date +%s)')).toBe(text.includes('$NOW'))
  })

  it('sends a plain token unchanged', () => {
    const text = line({ signature: 'plain-token', signatureHeader: 'authorization' })
    expect(text).toContain('-H "authorization: $SECRET"')
    expect(text).not.toContain('openssl')
  })
})

/** Parses the signature headers of a request: signed bytes, time and signatures. Verifies nothing. */
import type { Signature, WebhookSettings } from './settings.ts'

/** Returns a header by its lower-case name, or null. Repeated headers are joined by commas. */
export type HeaderOf = (name: string) => string | null

export type SignatureClaim =
  | { kind: 'open' }
  | { kind: 'token'; token: string }
  | {
      kind: 'hmac'
      /** Prefix of the raw body in the bytes that are signed with HMAC-SHA256. */
      prefix: string
      /** Seconds since 1970 that are part of the signed bytes; undefined in schemes without a time. */
      signedAt?: number
      /** Lower-case hex. One match is enough. */
      digests: string[]
    }
  | { kind: 'unreadable'; header: string; message: string }

type Settings = Pick<WebhookSettings, 'signature' | 'signatureHeader'>

/** The headers that carry the signature of each scheme. They are never stored. */
export function signatureHeaders({ signature, signatureHeader }: Settings): string[] {
  const own: Partial<Record<Signature, string[]>> = {
    none: [],
    heddle: ['x-heddle-signature'],
    github: ['x-hub-signature-256'],
    stripe: ['stripe-signature'],
    slack: ['x-slack-signature'],
    shopify: ['x-shopify-hmac-sha256'],
  }
  return own[signature] ?? [signatureHeader.toLowerCase()]
}

/** Reads the claim of the trigger's scheme, ignoring headers of other schemes. */
export function signatureClaim(settings: Settings, headerOf: HeaderOf): SignatureClaim {
  const [header] = signatureHeaders(settings)
  if (header === undefined) return { kind: 'open' }
  const value = headerOf(header)?.trim()
  const claim = value ? readers[settings.signature]({ header, value, headerOf }) : undefined
  if (claim) return claim
  const message = value
    ? `The header ${header} is not valid: ${FORMS[settings.signature]}`
    : `The header ${header} is missing`
  return { kind: 'unreadable', header, message }
}

type Reader = (sent: { header: string; value: string; headerOf: HeaderOf }) => SignatureClaim | undefined

const readers: Record<Signature, Reader> = {
  none: () => ({ kind: 'open' }),
  heddle: ({ value }) => timedClaim(value),
  stripe: ({ value }) => timedClaim(value),
  github: ({ value }) => bodyClaim(/^sha256=([0-9a-f]{64})$/i.exec(value)?.[1]),
  slack({ value, headerOf }) {
    const time = headerOf('x-slack-request-timestamp')?.trim() ?? ''
    const digest = /^v0=([0-9a-f]{64})$/i.exec(value)?.[1]
    if (!digest || !SECONDS.test(time)) return undefined
    return { kind: 'hmac', prefix: `v0:${time}:`, signedAt: Number(time), digests: [digest.toLowerCase()] }
  },
  shopify: ({ value }) => bodyClaim(hexOfBase64(value)),
  'hmac-sha256'({ value }) {
    const bare = value.replace(/^sha(?:256|1)=/i, '')
    return bodyClaim(/^[0-9a-f]{64}$/i.test(bare) ? bare : hexOfBase64(bare))
  },
  'plain-token'({ header, value }) {
    return { kind: 'token', token: header === 'authorization' ? value.replace(/^Bearer +/i, '') : value }
  },
}

const FORMS: Record<Signature, string> = {
  none: '',
  heddle: 'send t=<seconds since 1970>,v1=<HMAC-SHA256 in hex of the seconds, a dot and the body>',
  stripe: 'it must contain one t and at least one v1',
  github: 'it must be sha256= and 64 hex digits',
  slack: 'it must be v0= and 64 hex digits, with the seconds since 1970 in x-slack-request-timestamp',
  shopify: 'it must be HMAC-SHA256 in base64',
  'hmac-sha256': 'it must be HMAC-SHA256 of the body, in hex or base64',
  'plain-token': '',
}

const SECONDS = /^\d{1,12}$/

/** `t=1492774577,v1=<hex>,v1=<hex>,v0=<ignored>`: one time, any number of signatures. */
function timedClaim(value: string): SignatureClaim | undefined {
  const parts = value.split(',').map((part) => /^\s*(\w+)=(.*)$/.exec(part))
  const valuesOf = (key: string) => parts.flatMap((part) => (part?.[1] === key ? [(part[2] as string).trim()] : []))
  const [time, ...moreTimes] = valuesOf('t')
  const digests = valuesOf('v1').filter((digest) => /^[0-9a-f]{64}$/i.test(digest))
  if (time === undefined || moreTimes.length > 0 || !SECONDS.test(time) || digests.length === 0) return undefined
  return {
    kind: 'hmac',
    prefix: `${time}.`,
    signedAt: Number(time),
    digests: digests.map((digest) => digest.toLowerCase()),
  }
}

function bodyClaim(digest: string | undefined): SignatureClaim | undefined {
  return digest === undefined ? undefined : { kind: 'hmac', prefix: '', digests: [digest.toLowerCase()] }
}

/** Returns undefined unless it is base64 or base64url of 32 bytes. */
function hexOfBase64(value: string): string | undefined {
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(value)) return undefined
  const binary = atob(value.replaceAll('-', '+').replaceAll('_', '/').replace('=', ''))
  return Array.from(binary, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')
}

/** Returns undefined when the signed time is within the tolerance. */
export function timeProblem(
  signedAt: number,
  { now, toleranceSeconds }: { now: Date; toleranceSeconds: number },
): string | undefined {
  const late = Math.floor(now.getTime() / 1000) - signedAt
  if (late > toleranceSeconds)
    return `The request was signed more than ${toleranceSeconds} seconds ago. Sign it again and resend it.`
  if (-late > toleranceSeconds)
    return `The request was signed more than ${toleranceSeconds} seconds in the future. Correct the sender's clock.`
  return undefined
}

/** An authenticator in software: makes passkeys (ES256) and signs with them, as a browser would pass it on. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const CREDENTIAL_INCLUDED = 0x40

export interface Site {
  rpId: string
  origin: string
}

export interface SoftPasskey {
  id: string
  key: KeyObject
  counter: number
}

interface Choices {
  isVerified?: boolean
  format?: string
  type?: string
}

const url = (bytes: Buffer) => bytes.toString('base64url')
const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest()

export function makePasskey({ rpId, origin }: Site, challenge: string, choices: Choices = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const credentialId = randomBytes(32)
  const coseKey = Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
    Buffer.from(x, 'base64url'),
    Buffer.from([0x22, 0x58, 0x20]),
    Buffer.from(y, 'base64url'),
  ])
  const length = Buffer.alloc(2)
  length.writeUInt16BE(credentialId.length)
  const data = authenticatorData(rpId, {
    ...choices,
    counter: 0,
    included: [Buffer.alloc(16), length, credentialId, coseKey],
  })
  const attestationObject = Buffer.concat([
    Buffer.from([0xa3]),
    text('fmt'),
    text(choices.format ?? 'none'),
    text('attStmt'),
    Buffer.from([0xa0]),
    text('authData'),
    Buffer.from([0x58, data.length]),
    data,
  ])
  const passkey: SoftPasskey = { id: url(credentialId), key: privateKey, counter: 0 }
  const response = {
    clientDataJSON: url(clientData(choices.type ?? 'webauthn.create', challenge, origin)),
    attestationObject: url(attestationObject),
    transports: ['internal'],
  }
  return { passkey, answer: { id: passkey.id, rawId: passkey.id, type: 'public-key', response } }
}

export function answerWith(passkey: SoftPasskey, { rpId, origin }: Site, challenge: string, choices: Choices = {}) {
  const data = authenticatorData(rpId, { ...choices, counter: passkey.counter, included: [] })
  const client = clientData(choices.type ?? 'webauthn.get', challenge, origin)
  const signature = sign('sha256', Buffer.concat([data, sha256(client)]), passkey.key)
  const response = { clientDataJSON: url(client), authenticatorData: url(data), signature: url(signature) }
  return { id: passkey.id, rawId: passkey.id, type: 'public-key', response }
}

function authenticatorData(
  rpId: string,
  { isVerified = true, counter, included }: Choices & { counter: number; included: Buffer[] },
): Buffer {
  const flags = USER_PRESENT | (isVerified ? USER_VERIFIED : 0) | (included.length > 0 ? CREDENTIAL_INCLUDED : 0)
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, ...included])
}

const clientData = (type: string, challenge: string, origin: string) =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

/** A short text in CBOR. */
const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])

/** AES-GCM with a data key per workspace, itself wrapped by the master key. Stored as `v1.<iv>.<ciphertext>`, base64url. */
import { Buffer } from 'node:buffer'
import type { Cipher } from './types.ts'

type Bytes = Uint8Array<ArrayBuffer>

const VERSION = 'v1'
const IV_BYTES = 12
const KEY_BYTES = 32
/** Additional data of the ciphertext, so that a wrapped key can't be used as a secret or vice versa. */
const WRAPPED_KEY = 'workspace key'
const SECRET = 'credential'

const text = new TextEncoder()

/** @param masterKey 32 bytes, base64url. Throws an Error when it is not. */
export function createCipher(masterKey: string): Cipher {
  const master = importKey(decodeKey(masterKey))
  master.catch(() => {})

  const openKey = async (wrappedKey: string) => importKey(await open(await master, wrappedKey, WRAPPED_KEY))

  return {
    async createWorkspaceKey() {
      return seal(await master, crypto.getRandomValues(new Uint8Array(KEY_BYTES)), WRAPPED_KEY)
    },
    async encrypt(wrappedKey, plain) {
      return seal(await openKey(wrappedKey), new Uint8Array(text.encode(JSON.stringify(plain))), SECRET)
    },
    async decrypt(wrappedKey, sealed) {
      const bytes = await open(await openKey(wrappedKey), sealed, SECRET)
      return JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>
    },
    async seal(purpose, plain) {
      return seal(await master, new Uint8Array(text.encode(plain)), `of ${purpose}`)
    },
    async open(purpose, sealed) {
      return new TextDecoder().decode(await open(await master, sealed, `of ${purpose}`))
    },
  }
}

async function seal(key: CryptoKey, plain: Bytes, purpose: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const sealed = await crypto.subtle.encrypt(parameters(iv, purpose), key, plain)
  return [VERSION, toBase64Url(iv), toBase64Url(new Uint8Array(sealed))].join('.')
}

async function open(key: CryptoKey, sealed: string, purpose: string): Promise<Bytes> {
  const [version, iv, body, ...rest] = sealed.split('.')
  if (version !== VERSION || !iv || !body || rest.length) throw new Error('The sealed value has an unknown format')
  try {
    return new Uint8Array(await crypto.subtle.decrypt(parameters(fromBase64Url(iv), purpose), key, fromBase64Url(body)))
  } catch {
    throw new Error('A stored secret cannot be decrypted with this MASTER_KEY. Restore the key it was encrypted with.')
  }
}

function parameters(iv: Bytes, purpose: string) {
  return { name: 'AES-GCM', iv, additionalData: text.encode(`heddle ${VERSION} ${purpose}`) }
}

function importKey(bytes: Bytes): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])
}

function decodeKey(masterKey: string): Bytes {
  const bytes = fromBase64Url(masterKey)
  if (bytes.length !== KEY_BYTES) throw new Error('MASTER_KEY must be 32 random bytes in base64url')
  return bytes
}

function toBase64Url(bytes: Bytes): string {
  return Buffer.from(bytes).toString('base64url')
}

function fromBase64Url(encoded: string): Bytes {
  return new Uint8Array(Buffer.from(encoded, 'base64url'))
}

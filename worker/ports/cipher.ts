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

/**
 * Keys are 32 bytes, base64url. Throws an Error when one is not.
 * @param previousKey opens what the master key does not open yet; nothing is encrypted with it
 */
export function createCipher(masterKey: string, previousKey?: string): Cipher {
  const master = importKey(decodeKey(masterKey))
  const previous = previousKey ? importKey(decodeKey(previousKey)) : undefined
  for (const key of [master, previous]) key?.catch(() => {})

  const openMaster = async (sealed: string, purpose: string) => {
    try {
      return { bytes: await open(await master, sealed, purpose), isCurrent: true }
    } catch (error) {
      if (!previous) throw error
      return { bytes: await open(await previous, sealed, purpose), isCurrent: false }
    }
  }
  const openKey = async (wrappedKey: string) => importKey((await openMaster(wrappedKey, WRAPPED_KEY)).bytes)
  const purposeOf = (purpose: string) => `of ${purpose}`

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
      return seal(await master, new Uint8Array(text.encode(plain)), purposeOf(purpose))
    },
    async open(purpose, sealed) {
      return new TextDecoder().decode((await openMaster(sealed, purposeOf(purpose))).bytes)
    },
    async renew(sealed, purpose) {
      const context = purpose === undefined ? WRAPPED_KEY : purposeOf(purpose)
      const { bytes, isCurrent } = await openMaster(sealed, context)
      return isCurrent ? undefined : seal(await master, bytes, context)
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

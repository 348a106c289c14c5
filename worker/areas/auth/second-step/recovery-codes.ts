/** Codes for when the authenticator app is gone: each signs in once. Only their hashes are kept. */
import { randomBytes } from 'node:crypto'
import { tokenHash } from '../../../http/session/secrets.ts'

const COUNT = 10
const GROUPS = 3
const GROUP_LENGTH = 5
/** Letters and digits that are not mistaken for one another: 74 bits a code. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'

export function newRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, newCode)
}

/** Case, spaces and hyphens do not count. The hash is the person's own: equal codes of two people differ. */
export function recoveryHash(userId: string, code: string): string {
  return tokenHash(`${userId} ${code.toLowerCase().replace(/[^a-z0-9]/g, '')}`)
}

function newCode(): string {
  return Array.from({ length: GROUPS }, newGroup).join('-')
}

/** Bytes past the last whole round of the alphabet would make its first letters likelier. */
function newGroup(): string {
  let group = ''
  while (group.length < GROUP_LENGTH) {
    const [byte = 255] = randomBytes(1)
    if (byte < 256 - (256 % ALPHABET.length)) group += ALPHABET[byte % ALPHABET.length]
  }
  return group
}

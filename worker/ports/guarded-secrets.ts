/** Keeps secrets from hosts that they may not be sent to: looks for them in each hop of a request. */
import { Buffer } from 'node:buffer'
import { isAllowedHost } from '#contract/credentials/hosts.ts'
import { secretForms } from '#contract/data/secrets.ts'

export interface GuardedSecret {
  /** Names the credential in a refusal. */
  name: string
  texts: readonly string[]
  /** As `normalHost` returns them; undefined: any. */
  hosts: readonly string[] | undefined
}

interface Carrier {
  url: URL
  headers: Headers
  body: ArrayBuffer | string | undefined
}

/** A secret on the way to a host that is not its own. Thrown before anything is sent, with a message for people. */
class RefusedHost extends Error {
  override readonly name = 'RefusedHost'
}

/** Shorter texts occur everywhere. */
const MIN_LENGTH = 8

export function createSecretGuard() {
  /** By each form in which a secret stands in a request. The same secret may be in several credentials. */
  const holders = new Map<string, GuardedSecret[]>()
  let isLimited = false

  return {
    add(secret: GuardedSecret): void {
      if (secret.hosts) isLimited = true
      const forms = new Set(secret.texts.filter(({ length }) => length >= MIN_LENGTH).flatMap(secretForms))
      for (const form of forms) holders.set(form, [...(holders.get(form) ?? []), secret])
    },
    /** @throws RefusedHost that says what to do */
    check({ url, headers, body }: Carrier): void {
      if (!isLimited) return
      const isAllowed = ({ hosts }: GuardedSecret) => hosts === undefined || isAllowedHost(hosts, url)
      const head = [url.href, ...[...headers].flatMap(([, value]) => [value, basicPair(value)])].join('\n')
      const bytes = typeof body === 'object' ? Buffer.from(body) : body
      for (const [form, secrets] of holders) {
        if (secrets.some(isAllowed) || !(head.includes(form) || bytes?.includes(form))) continue
        throw new RefusedHost(
          `The credential “${secrets[0]?.name}” may not be sent to ${url.host}. If this host should get it, open Credentials and add it to the credential’s hosts.`,
        )
      }
    },
  }
}

/** Returns the name and password of Basic authentication. */
function basicPair(value: string): string {
  const [, encoded] = /^Basic ([\w+/=-]+)$/i.exec(value) ?? []
  return encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString()
}

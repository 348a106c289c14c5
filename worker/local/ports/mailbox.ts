/** Takes the letters of a server without a mail service: one text file each, which only their owner may read. */
import { randomUUID } from 'node:crypto'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'

interface Letter {
  to: string
  subject: string
  text: string
}

export const mailboxFolder = (dataDir: string) => join(dataDir, 'mailbox')

/** A handler of Node's own server, behind Miniflare's front. */
export function handleLetters(folder: string): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    try {
      keepLetter(folder, (await json(request)) as Letter)
      response.writeHead(204).end()
    } catch (error) {
      response.writeHead(500).end(`The letter could not be written: ${(error as Error).message}`)
    }
  }
}

/** Files sort by time. Written aside and renamed, so that nobody reads half a letter. */
function keepLetter(folder: string, { to, subject, text }: Letter): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const time = new Date().toISOString().replaceAll(':', '-')
  const address = to.replace(/[^\w@.-]/g, '_').slice(0, 80)
  const file = join(folder, `${time} ${address} ${randomUUID().slice(0, 8)}`)
  writeFileSync(`${file}.new`, `To: ${to}\nSubject: ${subject}\n\n${text}\n`, { mode: 0o600, flag: 'wx' })
  renameSync(`${file}.new`, `${file}.txt`)
}

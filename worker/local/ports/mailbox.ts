/** Takes the letters of a server without a mail service: one text file each, which only their owner may read. */
import { randomUUID } from 'node:crypto'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'

interface Letter {
  to: string
  subject: string
  text: string
}

export const mailboxFolder = (dataDir: string) => join(dataDir, 'mailbox')

/** Tells the operator where letters are. */
export const mailboxNote = (dataDir: string) =>
  `Letters are written to ${mailboxFolder(dataDir)}, because MAIL_URL is not set.`

/** A mail service on a free port of this machine, for a worker that cannot be bound to the handler. */
export async function startMailbox(dataDir: string): Promise<{ host: string; close(): void }> {
  const server = createServer(handleLetters(mailboxFolder(dataDir)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

/** A handler of Node's own server, behind the worker. */
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

/** Takes the emails of a server without a mail service: one text file each, which only their owner may read. */
import { randomUUID } from 'node:crypto'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'

interface Email {
  to: string
  subject: string
  text: string
}

export const outboxFolder = (dataDir: string) => join(dataDir, 'outbox')

/** Tells the operator where emails are. */
export const outboxNote = (dataDir: string) =>
  `Emails are written to ${outboxFolder(dataDir)}, because MAIL_URL is not set.`

/** A mail service on a free port of this machine, for a worker that cannot be bound to the handler. */
export async function startOutbox(dataDir: string): Promise<{ host: string; close(): void }> {
  const server = createServer(handleEmails(outboxFolder(dataDir)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

/** A handler of Node's own server, behind the worker. */
export function handleEmails(folder: string): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    try {
      writeEmail(folder, (await json(request)) as Email)
      response.writeHead(204).end()
    } catch (error) {
      response.writeHead(500).end(`The email could not be written: ${(error as Error).message}`)
    }
  }
}

/** Files sort by time. Written aside and renamed, so that nobody reads half an email. */
function writeEmail(folder: string, { to, subject, text }: Email): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const time = new Date().toISOString().replaceAll(':', '-')
  const address = to.replace(/[^\w@.-]/g, '_').slice(0, 80)
  const file = join(folder, `${time} ${address} ${randomUUID().slice(0, 8)}`)
  writeFileSync(`${file}.new`, `To: ${to}\nSubject: ${subject}\n\n${text}\n`, { mode: 0o600, flag: 'wx' })
  renameSync(`${file}.new`, `${file}.txt`)
}

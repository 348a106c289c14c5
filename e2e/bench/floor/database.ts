/** The plainest server over the libsql binding: every statement is prepared once, and a call runs a fixed list of them. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Database from 'libsql'
import { READS, SCHEMA, WRITES } from './statements.ts'

/** Makes the file and its rows. Returns the server's address. */
export async function startPlainDatabase(file: string): Promise<string> {
  const database = new Database(file)
  database.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; ${SCHEMA}`)
  const [reads, writes] = [READS, WRITES].map((texts) => texts.map((text) => database.prepare(text)))
  const [begin, commit] = [database.prepare('BEGIN IMMEDIATE'), database.prepare('COMMIT')]

  function answer(path: string | undefined, parameters: string[][]): unknown {
    if (path === '/read') return reads?.map((statement, index) => statement.all(parameters[index]))
    begin.run()
    for (const [index, statement] of writes?.entries() ?? []) statement.run(parameters[index])
    commit.run()
    return { ok: true }
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { parameters } = JSON.parse(Buffer.concat(chunks).toString()) as { parameters: string[][] }
      const body = Buffer.from(JSON.stringify(answer(request.url, parameters)))
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
    })
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Reads the emails that a server without a mail service has written. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Email {
  to: string
  subject: string
  text: string
}

/** Returns the emails in the folder, the oldest first. */
export function readEmails(folder: string): Email[] {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.txt')) : []
  return files.sort().map((file) => {
    const email = readFileSync(join(folder, file), 'utf8')
    const [, to = '', subject = '', text = ''] = /^To: (.*)\nSubject: (.*)\n\n([\s\S]*)$/.exec(email) ?? []
    return { to, subject, text }
  })
}

/** Returns the token of an email's link. */
export const tokenIn = (text: string): string => /#token=([\w-]{43})\n/.exec(text)?.[1] ?? ''

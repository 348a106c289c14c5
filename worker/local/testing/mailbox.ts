/** Reads the letters that a server without a mail service has written. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Letter {
  to: string
  subject: string
  text: string
}

/** Returns the letters in the folder, the oldest first. */
export function readLetters(folder: string): Letter[] {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.txt')) : []
  return files.sort().map((file) => {
    const letter = readFileSync(join(folder, file), 'utf8')
    const [, to = '', subject = '', text = ''] = /^To: (.*)\nSubject: (.*)\n\n([\s\S]*)$/.exec(letter) ?? []
    return { to, subject, text }
  })
}

/** Returns the token of a letter's link. */
export const tokenIn = (text: string): string => /#token=([\w-]{43})\n/.exec(text)?.[1] ?? ''

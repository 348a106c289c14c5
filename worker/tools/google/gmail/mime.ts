/** Converts messages to and from Gmail's formats: RFC 822 text in base64url, and a tree of MIME parts. */
import { htmlToText } from '../../../text/html-to-text.ts'
import { parseHtml } from '../../../text/xml.ts'

export interface Mail {
  to: string
  subject?: string
  body?: string
  cc?: string
  bcc?: string
}

/** Returns the `raw` field of a message. Text with HTML tags is sent as HTML, other text as plain text. */
export function composeMail({ to, subject, body = '', cc, bcc }: Mail): string {
  const kind = /<([a-z][a-z0-9]*)(\s[^<>]*)?\/?>/i.test(body) ? 'html' : 'plain'
  const head = [
    `To: ${addresses(to)}`,
    ...(cc ? [`Cc: ${addresses(cc)}`] : []),
    ...(bcc ? [`Bcc: ${addresses(bcc)}`] : []),
    ...(subject ? [`Subject: ${encodedWords(oneLine(subject))}`] : []),
    'MIME-Version: 1.0',
    `Content-Type: text/${kind}; charset=utf-8`,
    'Content-Transfer-Encoding: base64',
  ]
  const lines = toBase64(body).match(/.{1,76}/g) ?? []
  return toBase64([...head, '', ...lines].join('\r\n'))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/** Removes line breaks, which would start another header. */
const oneLine = (text: string) => text.replace(/[\r\n\t\0]+/g, ' ').trim()

/** Encodes non-ASCII names, but never addresses. */
const addresses = (list: string) => oneLine(list).split(',').map(addressee).join(',')

function addressee(written: string): string {
  const text = written.trimEnd()
  const at = text.lastIndexOf('<')
  const name = text.slice(0, Math.max(at, 0))
  if (isAscii(name) || text.indexOf('>', at) !== text.length - 1) return written
  const space = name.slice(0, name.length - name.trimStart().length)
  return `${space}${encodedWords(name.trim().replace(/^"(.*)"$/, '$1'))} ${text.slice(at)}`
}

const isAscii = (text: string) => !/[^ -~]/.test(text)

/** Encodes text by RFC 2047: words of at most 75 characters that never split a character. */
function encodedWords(text: string): string {
  if (isAscii(text)) return text
  const words: string[] = []
  let word = ''
  for (const letter of text) {
    if (new TextEncoder().encode(word + letter).length > 42) {
      words.push(word)
      word = ''
    }
    word += letter
  }
  return [...words, word].map((each) => `=?UTF-8?B?${toBase64(each)}?=`).join('\r\n ')
}

function toBase64(text: string): string {
  let binary = ''
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte)
  return btoa(binary)
}

export interface Message {
  id?: string
  threadId?: string
  labelIds?: string[]
  snippet?: string
  payload?: Part
}

interface Part {
  mimeType?: string
  filename?: string
  headers?: { name: string; value: string }[]
  body?: { data?: string; size?: number }
  parts?: Part[]
}

const HEADERS = ['From', 'To', 'Cc', 'Subject', 'Date']
const MAX_BODY = 10_000

/** Returns a message without its tree of parts, for a model. */
export async function readMail({ id, threadId, labelIds, snippet, payload = {} }: Message) {
  const header = (name: string) =>
    payload.headers?.find((each) => each.name.toLowerCase() === name.toLowerCase())?.value
  const parts = partsOf(payload)
  const attachments = parts.flatMap(({ filename }) => filename || [])
  return {
    id,
    threadId,
    labelIds,
    ...Object.fromEntries(HEADERS.map((name) => [name.toLowerCase(), header(name)])),
    body: ((await readBody(parts)) || snippet || '').slice(0, MAX_BODY),
    ...(attachments.length > 0 && { attachments }),
  }
}

const partsOf = (part: Part): Part[] => [part, ...(part.parts ?? []).flatMap(partsOf)]

async function readBody(parts: Part[]): Promise<string> {
  const data = (type: string) => parts.find((part) => part.mimeType === type && !part.filename)?.body?.data
  const plain = data('text/plain')
  if (plain) return fromBase64(plain).trim()
  const html = data('text/html')
  return html ? htmlToText(await parseHtml(fromBase64(html)), 'https://mail.google.com/').text : ''
}

function fromBase64(data: string): string {
  const binary = atob(data.replaceAll('-', '+').replaceAll('_', '/'))
  return new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0)))
}

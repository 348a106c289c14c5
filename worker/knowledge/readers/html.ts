/** Reads a web page that was saved as a file, as Markdown. */
import { htmlToText } from '../../text/html-to-text.ts'
import { parseWholeHtml } from '../../text/xml.ts'
import { UnreadableError } from '../types.ts'
import { decodeText } from './decoded-text.ts'
import { collectDocuments } from './limits.ts'
import type { FormatReader } from './types.ts'

/** The parsed page stays in memory as a whole. */
const LIMITS = { chars: 5_000_000, elements: 100_000 }

export const readHtml: FormatReader = async (file) => {
  const { documents, add } = collectDocuments(file)
  const { title, text } = await htmlAsMarkdown(decodeText(file), 'about:blank')
  add(text, 'markdown', title ? { title } : {})
  return { documents, pages: 1 }
}

/** @throws UnreadableError when the page is too long or nested too deeply */
export async function htmlAsMarkdown(html: string, address: string): Promise<{ title: string; text: string }> {
  const page = await parseWholeHtml(html, LIMITS)
  if (!page)
    throw new UnreadableError('This page is too long or nested too deeply. Save its text as Markdown or plain text.')
  return htmlToText(page, address, { maxChars: LIMITS.chars })
}

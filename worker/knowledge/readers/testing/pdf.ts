/** Writes small PDF files by hand. */

interface PdfParts {
  /** Each page: its content stream, or the text that it shows in lines. */
  pages: (string | { content: Uint8Array; filter?: string })[]
  title?: string
  /** Entries of the trailer, such as `/Encrypt 9 0 R`. */
  trailer?: string
  /** Entries of the page tree instead of its own. */
  tree?: string
  /** More objects, as they stand in the file. */
  more?: string
}

const latin1 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

/** Returns the bytes of a PDF. */
export function pdfOf({ pages, title, trailer = '', tree, more = '' }: PdfParts): Uint8Array<ArrayBuffer> {
  const kids = pages.map((_, index) => `${10 + index * 2} 0 R`).join(' ')
  const parts: (string | Uint8Array)[] = [
    '%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n',
    `2 0 obj\n<< /Type /Pages ${tree ?? `/Kids [${kids}] /Count ${pages.length}`} >>\nendobj\n`,
    '3 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>\nendobj\n',
    `4 0 obj\n<< /Title (${title ?? ''}) >>\nendobj\n`,
  ]
  for (const [index, page] of pages.entries()) {
    const { content, filter } = typeof page === 'string' ? { content: latin1(drawn(page)), filter: undefined } : page
    const id = 10 + index * 2
    parts.push(
      `${id} 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${id + 1} 0 R /Resources << /Font << /F1 3 0 R >> >> >>\nendobj\n`,
      `${id + 1} 0 obj\n<< /Length ${content.length} ${filter ? `/Filter ${filter}` : ''} >>\nstream\n`,
      content,
      '\nendstream\nendobj\n',
    )
  }
  parts.push(more, `trailer\n<< /Root 1 0 R /Info 4 0 R /Size ${10 + pages.length * 2} ${trailer} >>\n%%EOF\n`)
  return joinBytes(parts.map((part) => (typeof part === 'string' ? latin1(part) : part)))
}

/** Draws each line of a text. */
function drawn(text: string): string {
  if (text === '') return ''
  const lines = text.split('\n').map((line) => `(${line.replace(/[()\\]/g, '\\$&')}) Tj 0 -20 Td`)
  return `BT /F1 12 Tf 50 700 Td ${lines.join(' ')} ET`
}

export function joinBytes(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

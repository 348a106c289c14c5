/** Reading in workerd: its text decoder, its streams, its limits, and the libraries as they are bundled for it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { type OutputChunk, rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { distFolder } from '#worker/local/paths.ts'
import { readBuildConfig } from '#worker/local/worker-modules.ts'
import { docxOf, epubOf, odfOf, paragraph, pptxOf, row, shape, xlsxOf } from './testing/office.ts'
import { pdfOf } from './testing/pdf.ts'
import type { FileContent } from './types.ts'

const dist = join(distFolder(), 'heddle')
const config = readBuildConfig(dist)
const entry = fileURLToPath(new URL('testing/reading-worker.ts', import.meta.url))
/** What takes time to start: none of it may be loaded before a file needs it. */
const LIBRARIES = /node_modules\/(unpdf|fflate|csv-parse|htmlparser2|parse5|domhandler)\//

let chunks: OutputChunk[]
let workerd: Miniflare

beforeAll(async () => {
  const bundle = await rolldown({
    input: entry,
    platform: 'neutral',
    external: /^node:/,
    resolve: { conditionNames: ['workerd', 'worker', 'import'], mainFields: ['module', 'main'] },
  })
  const { output } = await bundle.generate({ format: 'esm' })
  chunks = output.filter((file) => file.type === 'chunk')
  workerd = new Miniflare(
    convertV4MiniflareOptions({
      modules: chunks.map(({ fileName, code }) => ({ type: 'ESModule' as const, path: fileName, contents: code })),
      compatibilityDate: config.compatibility_date,
      compatibilityFlags: config.compatibility_flags,
    }),
  )
}, 60_000)

afterAll(() => workerd?.dispose())

async function read(name: string, bytes: Uint8Array | string) {
  const response = await workerd.dispatchFetch(`http://reader/${name}`, { method: 'POST', body: bytes })
  return { status: response.status, answer: await response.json() }
}

describe('reading in workerd', () => {
  it.each([
    ['a.txt', 'Hello', 'Hello'],
    ['a.md', '# Hello', '# Hello'],
    ['a.html', '<h1>Hello</h1>', '# Hello'],
    ['a.json', '{"a": "Hello"}', 'a: Hello'],
    ['a.jsonl', '{"a": "Hello"}\n', 'a: Hello'],
    ['a.csv', 'a,b\n"Hello, é 😀",2', 'a: Hello, é 😀\nb: 2'],
    ['a.yaml', 'a: Hello', 'a: Hello'],
    ['a.pdf', pdfOf({ pages: ['Hello\nyou'], title: 'T' }), 'Hello\nyou'],
    ['a.docx', docxOf(paragraph('Hello', 'H2')), '## Hello'],
    ['a.pptx', pptxOf([{ body: shape('Hello', 'title'), notes: shape('Psst') }]), '# Hello\n\nNotes: Psst'],
    ['a.xlsx', xlsxOf({ S: row('a') + row('Hello') }), 'a: Hello'],
    ['a.odt', odfOf('text', '<text:h>Hello</text:h>'), '# Hello'],
    [
      'a.ods',
      odfOf(
        'spreadsheet',
        '<table:table><table:table-row><table:table-cell><text:p>Hello</text:p></table:table-cell></table:table-row></table:table>',
      ),
      'Hello',
    ],
    ['a.odp', odfOf('presentation', '<draw:page><text:p>Hello</text:p></draw:page>'), 'Hello'],
    ['a.epub', epubOf(['<h1>Hello</h1>']), '# Hello'],
  ])('reads %s', async (name, bytes, text) => {
    const { status, answer } = await read(name, bytes)
    expect(status, JSON.stringify(answer)).toBe(200)
    expect((answer as FileContent).documents.map((document) => document.text)).toEqual([text])
  })

  it('refuses a PDF that needs a password', async () => {
    const lock = `9 0 obj\n<< /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> >>\nendobj\n`
    const id = '<00112233445566778899AABBCCDDEEFF>'
    const bytes = pdfOf({ pages: ['a'], trailer: `/Encrypt 9 0 R /ID [${id} ${id}]`, more: lock })
    expect(await read('a.pdf', bytes)).toMatchObject({
      status: 400,
      answer: {
        kind: 'UnreadableError',
        message: 'This PDF needs a password. Save it without one, and send it again.',
      },
    })
  })
})

describe('what a worker loads at its start', () => {
  it('holds no library of a format', () => {
    const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
    const loaded = new Set<string>()
    const load = (name: string) => {
      const chunk = byName.get(name)
      if (!chunk || loaded.has(name)) return
      loaded.add(name)
      chunk.imports.forEach(load)
    }
    for (const { isEntry, fileName } of chunks) if (isEntry) load(fileName)
    const modules = [...loaded].flatMap((name) => byName.get(name)?.moduleIds ?? [])
    expect(modules.some((id) => id.endsWith('readers/index.ts'))).toBe(true)
    expect(modules.filter((id) => LIBRARIES.test(id))).toEqual([])
    expect(chunks.flatMap(({ moduleIds }) => moduleIds).some((id) => LIBRARIES.test(id))).toBe(true)
  })

  it('holds neither the reader of PDFs nor that of tables in the product', () => {
    const texts = [...startModules(config.main)].map((name) => readFileSync(join(dist, name), 'utf8'))
    expect(texts.length).toBeGreaterThan(0)
    for (const mark of ['PasswordException', 'CSV_INVALID_CLOSING_QUOTE'])
      expect(texts.some((text) => text.includes(mark))).toBe(false)
  })
})

/** Returns the module and those that it imports when it starts, in the built worker. */
function startModules(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found
  found.add(name)
  const text = readFileSync(join(dist, name), 'utf8')
  for (const [, path = ''] of text.matchAll(/(?:^|[;\n}])(?:import|export)[^'"()]{0,5000}["'](\.[^'"]+\.js)["']/g))
    startModules(join(name, '..', path), found)
  return found
}

import { describe, expect, it } from 'vitest'
import { docxOf, epubOf, paragraph, pptxOf, row, shape, xlsxOf } from '../readers/testing/office.ts'
import { pdfOf } from '../readers/testing/pdf.ts'
import type { LoaderContext, LoaderType, SourceDocument } from '../types.ts'
import { loaders } from './index.ts'

const loaderNamed = (name: string) => loaders.find(({ definition }) => definition.name === name) as LoaderType

/** The SHA-256 of "a,b\n1,2". */
const HASH = 'aeedab1ee7a1043753c9ab768594bc8420d7b85491d0be9421edc3813c237f4c'

function contextOf(config: Record<string, unknown>, files: Record<string, string | Uint8Array> = {}): LoaderContext {
  return {
    config,
    maxItems: 100,
    files: Object.entries(files).map(([name, file], index) => {
      const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file
      return { id: `f${index}`, name, mime: 'text/plain', size: bytes.length, read: async () => bytes }
    }),
  } as LoaderContext
}

async function documentsOf(loader: string, config: Record<string, unknown>, file: [string, string | Uint8Array]) {
  const content = await loaderNamed(loader).read(contextOf(config, Object.fromEntries([file])), {
    key: file[0],
    name: file[0],
  })
  return content?.documents as SourceDocument[]
}

describe('a loader of files', () => {
  it('lists each stored file as a source, as many as are asked for', async () => {
    const context = contextOf({}, { 'a.txt': 'x', 'b.txt': 'yy' })
    const { items, cursor } = await loaderNamed('textFile').list(context)
    expect(cursor).toBeUndefined()
    expect(items).toEqual([
      { key: 'a.txt', name: 'a.txt', version: 'f0', mime: 'text/plain', size: 1 },
      { key: 'b.txt', name: 'b.txt', version: 'f1', mime: 'text/plain', size: 2 },
    ])
    expect((await loaderNamed('textFile').list({ ...context, maxItems: 1 })).items).toHaveLength(1)
  })

  it('says nothing of a file that no longer exists', async () => {
    expect(await loaderNamed('textFile').read(contextOf({}), { key: 'a.txt', name: 'a.txt' })).toBeUndefined()
  })

  it('knows the hash of the bytes', async () => {
    const content = await loaderNamed('csvFile').read(contextOf({}, { 'a.csv': 'a,b\n1,2' }), {
      key: 'a.csv',
      name: 'a.csv',
    })
    expect(content?.hash).toBe(HASH)
  })

  it.each([
    ['FILE-STORAGE::a.txt', 'a.txt'],
    ['FILE-STORAGE::["a.txt","b.txt"]', 'a.txt, b.txt'],
    ['data:text/plain;base64,YQ==,filename:c.txt', 'c.txt'],
    ['["data:text/plain;base64,YQ==,filename:c.txt"]', 'c.txt'],
    ['data:text/plain;base64,YQ==', 'file'],
    [undefined, ''],
  ])('names its files for people: %s', (txtFile, names) => {
    expect(loaderNamed('textFile').describeSource({ txtFile })).toBe(names)
  })
})

describe('the metadata of a loader', () => {
  const file: [string, string] = ['a.csv', 'q,a\nwhy,so']
  const metadataOf = async (config: Record<string, unknown>) =>
    (await documentsOf('csvFile', config, file))[0]?.metadata

  it('is added to what the file says, and left out where that is asked for', async () => {
    expect(await metadataOf({ metadata: '{"team": {"a": 1, "b": 2}}' })).toEqual({
      source: 'a.csv',
      row: 1,
      team: { a: 1, b: 2 },
    })
    expect(await metadataOf({ metadata: { team: { a: 1, b: 2 } }, omitMetadataKeys: 'row, team.a' })).toEqual({
      source: 'a.csv',
      team: { b: 2 },
    })
    expect(await metadataOf({ metadata: { x: 1 }, omitMetadataKeys: '*' })).toEqual({ x: 1 })
  })

  it('is refused when it is no object', async () => {
    await expect(metadataOf({ metadata: '[1' })).rejects.toThrow('"metadata" must be a JSON object')
  })

  it('is taken from each record where it starts with a slash', async () => {
    const documents = await documentsOf('jsonFile', { pointersName: 't', metadata: '{"page": "/u", "by": "me"}' }, [
      'a.json',
      '[{"t": "x", "u": "1"}, {"t": "y"}]',
    ])
    expect(documents.map(({ metadata }) => metadata)).toEqual([
      { source: 'a.json', record: 1, page: '1', by: 'me' },
      { source: 'a.json', record: 2, by: 'me' },
    ])
  })
})

it.each([
  ['csvFile', { columnName: 'a' }, ['a.csv', 'q,a\nwhy,so'], ['so']],
  ['jsonlinesFile', { pointerName: 't' }, ['a.jsonl', '{"t": "x", "u": 1}'], ['x']],
  ['fileLoader', { pointerName: 't' }, ['a.jsonl', '{"t": "x", "u": 1}'], ['x']],
  ['fileLoader', {}, ['a.md', '# x'], ['# x']],
] as [string, Record<string, unknown>, [string, string], string[]][])(
  '%s reads with the inputs %j',
  async (loader, config, file, texts) => {
    expect((await documentsOf(loader, config, file)).map(({ text }) => text)).toEqual(texts)
  },
)

const slides = pptxOf([{ body: shape('Hello', 'title') }, { body: shape('you') }])

it.each([
  ['pdfFile', {}, ['a.pdf', pdfOf({ pages: ['Hello', 'you'] })], ['Hello', 'you']],
  ['pdfFile', { usage: 'perFile' }, ['a.pdf', pdfOf({ pages: ['Hello', 'you'] })], ['Hello\n\nyou']],
  ['docxFile', {}, ['a.docx', docxOf(paragraph('Hello'))], ['Hello']],
  ['microsoftExcel', {}, ['a.xlsx', xlsxOf({ S: row('a') + row('Hello') })], ['a: Hello']],
  ['microsoftPowerpoint', {}, ['a.pptx', slides], ['# Hello', 'you']],
  ['epubFile', {}, ['a.epub', epubOf(['<p>Hello</p>', '<p>you</p>'])], ['Hello', 'you']],
  ['epubFile', { usage: 'perFile' }, ['a.epub', epubOf(['<p>Hello</p>', '<p>you</p>'])], ['Hello\n\nyou']],
] as [string, Record<string, unknown>, [string, Uint8Array], string[]][])(
  '%s reads its kind of file with the inputs %j',
  async (loader, config, file, texts) => {
    expect((await documentsOf(loader, config, file)).map(({ text }) => text)).toEqual(texts)
  },
)

it('a typed text is a source of its own', async () => {
  const loader = loaderNamed('plainText')
  expect((await loader.list(contextOf({ text: 'Hi' }))).items).toEqual([{ key: 'text', name: 'Plain text' }])
  expect(await loader.read(contextOf({ text: ' Hi ' }), { key: 'text', name: '' })).toMatchObject({
    documents: [{ text: 'Hi', format: 'text', metadata: { source: 'Plain text' } }],
    pages: 1,
  })
  expect(await loader.read(contextOf({ text: '' }), { key: 'text', name: '' })).toBeUndefined()
})

// @defends file-many-pages
// @defends file-poses-format
import { describe, expect, it } from 'vitest'
import { decodeText } from './decoded-text.ts'
import { readFile } from './index.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const read = (name: string, text: string, options = {}) =>
  readFile(bytesOf(text), { name, mime: 'application/octet-stream', ...options })
const textsOf = async (name: string, text: string, options = {}) =>
  (await read(name, text, options)).documents.map((document) => document.text)

describe('the format of a text', () => {
  it.each([
    ['notes.txt', '# no heading', 'text'],
    ['README.md', '# heading', 'markdown'],
    ['main.py', 'def a(): pass', 'code'],
    ['page.html', '<h1>Hi</h1>', 'markdown'],
    ['page.aspx', '<!doctype html><h1>Hi</h1>', 'markdown'],
  ])('of %s is told by its name and its first bytes', async (name, text, format) => {
    expect((await read(name, text)).documents[0]).toMatchObject({ format, metadata: { source: name } })
  })

  it('is what the sender declared only where the name says nothing', async () => {
    const json = bytesOf('{"a": "b"}')
    expect((await readFile(json, { name: 'data', mime: 'application/json' })).documents[0]?.text).toBe('a: b')
    expect((await readFile(json, { name: 'data.txt', mime: 'application/json' })).documents[0]?.text).toBe('{"a": "b"}')
  })
})

describe('the encoding of a text', () => {
  it.each([
    ['UTF-8', [0xef, 0xbb, 0xbf, 0xc3, 0xa9]],
    ['UTF-16', [0xff, 0xfe, 0xe9, 0x00]],
    ['UTF-16, big end first', [0xfe, 0xff, 0x00, 0xe9]],
    ['Windows-1252', [0xe9]],
  ])('is told: %s', async (_, bytes) => {
    const { documents } = await readFile(new Uint8Array(bytes), { name: 'a.txt', mime: 'text/plain' })
    expect(documents[0]?.text).toBe('é')
  })

  it('leaves nothing that the database refuses', async () => {
    expect(await textsOf('a.jsonl', '"a\\u0000b\\ud83d"')).toEqual(['ab\ufffd'])
  })
})

describe('a web page', () => {
  it('becomes Markdown with its title', async () => {
    const { documents } = await read('a.html', '<title>T</title><h1>Head</h1><p>One</p><a href="b.html">b</a>')
    expect(documents).toEqual([
      { text: '# Head\n\nOne\n\nb', format: 'markdown', metadata: { source: 'a.html', title: 'T' } },
    ])
  })

  it('is read as a whole, or refused', async () => {
    const long = await textsOf('a.html', `<p>${'word '.repeat(20_000)}end</p>`)
    expect(long[0]).toMatch(/end$/)
    await expect(read('a.html', '<p>a'.repeat(150_000))).rejects.toThrow('This page is too long')
    await expect(read('a.html', '<div>'.repeat(1_000))).rejects.toThrow('nested too deeply')
  })
})

describe('a table', () => {
  it('has one document for each row, with the names of its columns', async () => {
    const { documents } = await read('a.csv', 'name,role\n"Ann, B",cook\n\nBob,\n')
    expect(documents.map(({ text, metadata }) => [text, metadata.row])).toEqual([
      ['name: Ann, B\nrole: cook', 1],
      ['name: Bob', 2],
    ])
  })

  it.each([
    ['tabs', 'a\tb\n1\t2'],
    ['semicolons', 'a;b\n1;2'],
    ['quotes around the header', '"a","b"\n1,2'],
  ])('may be divided by %s', async (_, table) => {
    expect(await textsOf('a.csv', table)).toEqual(['a: 1\nb: 2'])
  })

  it('gives one column alone, and names the others when there is none such', async () => {
    expect(await textsOf('a.csv', 'q,a\nwhy,so', { column: 'a' })).toEqual(['so'])
    await expect(textsOf('a.csv', 'q,a\nwhy,so', { column: 'b' })).rejects.toThrow('no column "b". Its columns: q, a.')
  })

  it('is refused when a quote never ends', async () => {
    await expect(read('a.csv', 'a,b\n1,"2')).rejects.toThrow('This is not a table as CSV writes it')
  })
})

describe('JSON', () => {
  it('has one document for each item of a list, and a line for each value', async () => {
    const json = '[{"name": "Ann", "tags": ["a", "b"], "home": {"city": "Rom"}}, "x", 3]'
    expect(await textsOf('a.json', json)).toEqual(['name: Ann\ntags: a\ntags: b\nhome.city: Rom', 'x', '3'])
    expect(await textsOf('a.json', '{"a": 1, "b": null, "c": ""}')).toEqual(['a: 1'])
  })

  it('gives the keys that were asked for, and metadata from each record', async () => {
    const json = '[{"t": "T1", "body": {"text": "B1"}, "u": "/1"}, {"t": "T2"}]'
    const { documents } = await read('a.json', json, { keys: ['t', 'body/text'], recordMetadata: { page: '/u' } })
    expect(documents.map(({ text, metadata }) => [text, metadata.page, metadata.record])).toEqual([
      ['T1', '/1', 1],
      ['B1', '/1', 1],
      ['T2', undefined, 2],
    ])
  })

  it('may be written in lines, whose number an error names', async () => {
    expect(await textsOf('a.jsonl', '{"t": "a"}\n\n{"t": "b"}\r\n', { lineKey: 't' })).toEqual(['a', 'b'])
    await expect(read('a.jsonl', '{"t": 1}\n{"t": ')).rejects.toThrow(
      'A line of this file is not valid JSON ({"line":2}',
    )
  })

  it.each([
    ['[1, 2', 'This is not valid JSON'],
    ['[1] 2', 'This is not valid JSON'],
    ['{"a": ', 'This is not valid JSON'],
    ['"\\', 'This is not valid JSON'],
    [`${'['.repeat(1_000)}1${']'.repeat(1_000)}`, 'nested too deeply'],
    [`[${'['.repeat(1_000)}1${']'.repeat(1_000)}]`, 'nested too deeply'],
    [`{"a": [${'[],'.repeat(400_000)}1]}`, 'too many values'],
  ])('is refused where it is broken or grows when it is parsed: %#', async (json, message) => {
    await expect(read('a.json', json)).rejects.toThrow(message)
  })
})

describe('a file that is no text', () => {
  it.each([
    ['', 'a.txt', 'This file is empty. Send it again.'],
    [' \n ', 'a.txt', 'This file has no text.'],
    ['a\0b', 'a.txt', 'This file is not text.'],
    ['hello', 'a.pdf', 'This is not a PDF file, though its name says so. Save it as PDF again.'],
    ['{\\rtf1 hello}', 'a.txt', 'This is Rich Text Format.'],
  ])('is refused with what to do: %j', async (text, name, message) => {
    await expect(read(name, text)).rejects.toThrow(message)
  })

  it.each([
    ['a picture', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], 'This is a picture'],
    ['a recording', [0x49, 0x44, 0x33, 4], 'This is a recording'],
    ['an old Office file', [0xd0, 0xcf, 0x11, 0xe0], 'This is an old Office file'],
    ['an archive', [0x1f, 0x8b, 8], 'This is an archive'],
  ])('is refused with what to do: %s', async (_, bytes, message) => {
    await expect(readFile(new Uint8Array(bytes), { name: 'a.txt', mime: 'text/plain' })).rejects.toThrow(message)
  })
})

describe('limits', () => {
  const limits = { bytes: 100, pages: 10, chars: 50, documents: 3, unzippedBytes: 1000 }
  const readLimited = (name: string, text: string) => readFile(bytesOf(text), { name, mime: '' }, limits)

  it.each([
    ['a.txt', 'a'.repeat(101), 'This file is larger than 0 MB'],
    ['a.txt', 'a'.repeat(60), 'This file has more than 50 characters of text. Divide it into smaller files.'],
    // The name of the column stands before each value.
    ['a.csv', `${'a'.repeat(20)}\n1\n2\n3`, 'This file has more than 50 characters of text'],
    ['a.csv', 'a\n1\n2\n3\n4', 'This file has more than 3 records. Divide it into smaller files.'],
    ['a.jsonl', '1\n2\n3\n4', 'This file has more than 3 records'],
  ])('hold for %s', async (name, text, message) => {
    await expect(readLimited(name, text)).rejects.toThrow(message)
  })

  it('hold for a text before all of it is decoded', () => {
    const bytes = bytesOf('a'.repeat(60))
    expect(() => decodeText({ bytes, limits })).toThrow('This file has more than 50 characters of text')
  })
})

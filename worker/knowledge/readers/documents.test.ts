import { describe, expect, it, onTestFinished } from 'vitest'
import { readFile } from './index.ts'
import { docxOf, epubOf, odfOf, paragraph, pptxOf, row, shape, xlsxOf } from './testing/office.ts'
import { pdfOf } from './testing/pdf.ts'

const read = (bytes: Uint8Array, options = {}) => readFile(bytes, { name: 'a', mime: '', ...options })
const textsOf = async (bytes: Uint8Array, options = {}) =>
  (await read(bytes, options)).documents.map((document) => document.text)

describe('a PDF', () => {
  const book = pdfOf({ pages: ['First page\nsecond line', '', 'Third page'], title: 'Book' })

  it('is read page by page, with its title', async () => {
    const { documents, pages } = await read(book)
    expect(pages).toBe(3)
    expect(documents).toEqual([
      { text: 'First page\nsecond line', format: 'text', metadata: { source: 'a', title: 'Book', page: 1 } },
      { text: 'Third page', format: 'text', metadata: { source: 'a', title: 'Book', page: 3 } },
    ])
  })

  it('may become one document', async () => {
    expect(await textsOf(book, { division: 'file' })).toEqual(['First page\nsecond line\n\nThird page'])
  })

  it('leaves its bytes to the caller, unless they are given away', async () => {
    const bytes = book.slice()
    await read(bytes)
    expect(bytes.length).toBe(book.length)
  })

  it('is broken with the words of the library behind it', async () => {
    const error = await read(new TextEncoder().encode('%PDF-1.7\n')).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: 'UnreadableError', cause: { name: 'InvalidPDFException' } })
  })

  it('is not called broken for what is wrong around it', async () => {
    Object.defineProperty(Array.prototype, 'surprise', { enumerable: true, configurable: true, value: 1 })
    onTestFinished(() => void Reflect.deleteProperty(Array.prototype, 'surprise'))
    await expect(read(book)).rejects.toThrow('surprise')
  })
})

describe('a Word file', () => {
  it('becomes Markdown with headings, lists, tables and notes', async () => {
    const item = (level: number, text: string) =>
      `<w:p><w:pPr><w:numPr><w:ilvl w:val="${level}"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`
    const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`
    const body = [
      paragraph('Manual', 'Ttl'),
      paragraph('Setup', 'H2'),
      '<w:p><w:r><w:t>One </w:t><w:tab/><w:t xml:space="preserve">&amp; two</w:t></w:r><w:r><w:delText>gone</w:delText></w:r></w:p>',
      item(0, 'a'),
      item(1, 'b'),
      paragraph('Deep', 'Own'),
      `<w:tbl><w:tr>${cell('A')}${cell('B')}</w:tr><w:tr>${cell('1')}${cell('x|y')}</w:tr></w:tbl>`,
      '<mc:AlternateContent><mc:Choice><w:p><w:r><w:t>box</w:t></w:r></w:p></mc:Choice><mc:Fallback><w:p><w:r><w:t>box</w:t></w:r></w:p></mc:Fallback></mc:AlternateContent>',
    ].join('')
    const notes = `<w:footnotes><w:footnote>${paragraph('A note')}</w:footnote></w:footnotes>`
    expect((await read(docxOf(body, { 'word/footnotes.xml': notes }))).documents).toEqual([
      {
        text: '# Manual\n\n## Setup\n\nOne \t& two\n\n- a\n  - b\n\n### Deep\n\n| A | B |\n| --- | --- |\n| 1 | x\\|y |\n\nbox\n\nA note',
        format: 'markdown',
        metadata: { source: 'a' },
      },
    ])
  })

  it('keeps the text of a box apart from the paragraph that holds it', async () => {
    const box = `<w:p><w:r><w:t>around</w:t></w:r><w:txbxContent>${paragraph('inside')}</w:txbxContent></w:p>`
    expect(await textsOf(docxOf(box))).toEqual(['inside\n\naround'])
  })
})

describe('a presentation', () => {
  it('is read slide by slide with its notes, without what every slide repeats', async () => {
    const { documents, pages } = await read(
      pptxOf([
        { body: shape('Welcome', 'title') + shape('Hello') + shape('1', 'sldNum'), notes: shape('Say hi') },
        { body: shape('Bye') },
      ]),
    )
    expect(pages).toBe(2)
    expect(documents.map(({ text, metadata }) => [text, metadata.page])).toEqual([
      ['# Welcome\n\nHello\n\nNotes: Say hi', 1],
      ['Bye', 2],
    ])
  })
})

describe('a workbook', () => {
  it('is read sheet by sheet, with the names of the columns in each row', async () => {
    const { documents, pages } = await read(
      xlsxOf({ People: row('name', 'age') + row('Ann', 41) + row('', '') + row('Bob'), Empty: '', Note: row('only') }),
    )
    expect(pages).toBe(3)
    expect(documents.map(({ text, metadata }) => [text, metadata])).toEqual([
      ['name: Ann\nage: 41', { source: 'a', sheet: 'People', row: 1 }],
      ['name: Bob', { source: 'a', sheet: 'People', row: 2 }],
      ['only', { source: 'a', sheet: 'Note', row: 0 }],
    ])
  })

  it('shows shared texts, dates, truth values and columns that were left out', async () => {
    const cells =
      '<row><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>' +
      '<row><c r="A2" s="1"><v>45292</v></c><c r="C2" t="b"><v>1</v></c><c r="D2" s="2"><v>45292.5</v></c></row>'
    const bytes = xlsxOf(
      { S: cells },
      {
        'xl/sharedStrings.xml': '<sst><si><t>da</t><r><t>y</t></r></si><si><t>paid</t></si></sst>',
        'xl/styles.xml':
          '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="yyyy\\-mm\\-dd hh:mm"/></numFmts><cellStyleXfs><xf numFmtId="0"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/></cellXfs></styleSheet>',
      },
    )
    expect(await textsOf(bytes)).toEqual(['day: 2024-01-01\npaid: TRUE\ncolumn 4: 2024-01-01 12:00'])
  })
})

describe('an OpenDocument file', () => {
  it('becomes Markdown when it is a text', async () => {
    const body =
      '<office:text><text:tracked-changes><text:p>old</text:p></text:tracked-changes><text:h text:outline-level="2">Head</text:h><text:p>a<text:s text:c="2"/>b<office:annotation><text:p>aside</text:p></office:annotation> <text:span>c</text:span></text:p><text:list><text:list-item><text:p>x</text:p><text:list><text:list-item><text:p>y</text:p></text:list-item></text:list></text:list-item></text:list></office:text>'
    expect(await textsOf(odfOf('text', body))).toEqual(['## Head\n\na  b c\n\n- x\n  - y'])
  })

  it('is read row by row when it is a sheet, without a million empty rows', async () => {
    const cell = (text: string, times = 1) =>
      `<table:table-cell table:number-columns-repeated="${times}"><text:p>${text}</text:p></table:table-cell>`
    const body = `<office:spreadsheet><table:table table:name="T"><table:table-row>${cell('n')}${cell('v', 2)}</table:table-row><table:table-row>${cell('a')}${cell('1', 2)}</table:table-row><table:table-row table:number-rows-repeated="1048576">${cell('', 16384)}</table:table-row></table:table></office:spreadsheet>`
    const { documents } = await read(odfOf('spreadsheet', body))
    expect(documents.map(({ text, metadata }) => [text, metadata.sheet])).toEqual([['n: a\nv: 1\nv: 1', 'T']])
  })

  it('is read slide by slide when it is a presentation', async () => {
    const page = (text: string) => `<draw:page><draw:frame><text:p>${text}</text:p></draw:frame></draw:page>`
    const { documents } = await read(
      odfOf('presentation', `<office:presentation>${page('One')}${page('Two')}</office:presentation>`),
    )
    expect(documents.map(({ text, metadata }) => [text, metadata.page])).toEqual([
      ['One', 1],
      ['Two', 2],
    ])
  })
})

describe('a book', () => {
  const book = epubOf(['<h1>Start</h1><p>It was.</p>', '<p>The end.</p>'])

  it('is read chapter by chapter', async () => {
    const { documents, pages } = await read(book)
    expect(pages).toBe(2)
    expect(documents.map(({ text, metadata }) => [text, metadata])).toEqual([
      ['# Start\n\nIt was.', { source: 'a', title: 'The book', page: 1, chapter: 'Chapter 1' }],
      ['The end.', { source: 'a', title: 'The book', page: 2, chapter: 'Chapter 2' }],
    ])
  })

  it('may become one document', async () => {
    expect(await textsOf(book, { division: 'file' })).toEqual(['# Start\n\nIt was.\n\nThe end.'])
  })
})

describe('the limits of packed files', () => {
  const limits = { bytes: 1e6, pages: 2, chars: 1e5, documents: 10, unzippedBytes: 1e5 }
  const table = (name: string) => `<table:table table:name="${name}"/>`
  const slide = '<draw:page><text:p>a</text:p></draw:page>'

  it.each([
    ['a.pdf', pdfOf({ pages: ['a', 'b', 'c'] }), 'more than 2 pages'],
    ['a.xlsx', xlsxOf({ A: row('a'), B: row('b'), C: row('c') }), 'more than 2 sheets'],
    ['a.pptx', pptxOf(Array(3).fill({ body: shape('a') })), 'more than 2 slides'],
    ['a.epub', epubOf(['a', 'b', 'c']), 'more than 2 chapters'],
    ['a.odp', odfOf('presentation', slide.repeat(3)), 'more than 2 pages'],
    ['a.ods', odfOf('spreadsheet', table('A') + table('B') + table('C')), 'more than 2 sheets'],
    ['a.docx', docxOf(paragraph('a'.repeat(100_000))), 'unpacks to more than 1 MB'],
  ])('hold for %s', async (name, bytes, message) => {
    await expect(readFile(bytes, { name, mime: '' }, limits)).rejects.toThrow(message)
  })
})

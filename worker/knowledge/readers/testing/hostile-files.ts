/** Broken and hostile files, and what reading them comes to: a part of the text, or of the refusal. */
import { deflateRawSync, deflateSync } from 'node:zlib'
import { docxOf, epubOf, odfOf, paragraph, pptxOf, row, shape, xlsxOf, zipOf } from './office.ts'
import { joinBytes, pdfOf } from './pdf.ts'
import { rawZip } from './raw-zip.ts'

export interface HostileFile {
  what: string
  name: string
  /** Made when it is needed: some are large. */
  bytes(): Uint8Array
  reads?: string
  refuses?: string
}

const MB = 1024 ** 2
const latin1 = (text: string) => Buffer.from(text, 'latin1')
const spaces = (megabytes: number) => Buffer.alloc(megabytes * MB, 0x20)
const HEADER = Buffer.from([0x78, 0x9c])

let bomb: Uint8Array | undefined
/** 300 MB of spaces, deflated without a header; made once. */
const packedBomb = () => {
  bomb ??= deflateRawSync(spaces(300), { level: 1 })
  return bomb
}
/** The same as a PDF packs it. */
const pdfBomb = () => joinBytes([HEADER, packedBomb()])
const half = (bytes: Uint8Array) => bytes.subarray(0, Math.floor(bytes.length / 2))

const BROKEN_PDF = 'This PDF is broken or incomplete'
const BROKEN_ZIP = 'This file is broken or incomplete'
const TOO_MUCH_TEXT = 'more than 20000000 characters of text'
const TOO_MUCH_PDF = 'This PDF unpacks to too much'

const locked = '/Encrypt 9 0 R /ID [<00112233445566778899AABBCCDDEEFF> <00112233445566778899AABBCCDDEEFF>]'
const lock = `9 0 obj\n<< /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> >>\nendobj\n`
const selfDrawn =
  '8 0 obj\n<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 8 0 R >> >> /Length 5 >>\nstream\n/X Do\nendstream\nendobj\n'

/** A form of text, drawn ten times by a form that is drawn ten times, and so on. */
function laughingPdf(levels: number): Uint8Array {
  const forms = Array.from({ length: levels + 1 }, (_, level) => {
    const content = level === 0 ? 'BT /F1 9 Tf 50 700 Td (ha) Tj ET' : '/X Do '.repeat(10)
    const resources = level === 0 ? '/Font << /F1 3 0 R >>' : `/XObject << /X ${19 + level} 0 R >>`
    return `${20 + level} 0 obj\n<< /Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << ${resources} >> /Length ${content.length} >>\nstream\n${content}\nendstream\nendobj\n`
  })
  const page = `50 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 51 0 R /Resources << /XObject << /X ${20 + levels} 0 R >> >> >>\nendobj\n51 0 obj\n<< /Length 5 >>\nstream\n/X Do\nendstream\nendobj\n`
  return pdfOf({ pages: [], tree: '/Kids [50 0 R] /Count 1', more: forms.join('') + page })
}

const pdfs: HostileFile[] = [
  {
    what: 'a PDF that draws a text a billion times',
    name: 'a.pdf',
    bytes: () => laughingPdf(9),
    refuses: 'draws the same text too often',
  },
  { what: 'a PDF cut off in its head', name: 'a.pdf', bytes: () => latin1('%PDF-1.7\n'), refuses: BROKEN_PDF },
  {
    what: 'a PDF cut off in the middle',
    name: 'a.pdf',
    bytes: () => half(pdfOf({ pages: ['a', 'b'] })),
    refuses: BROKEN_PDF,
  },
  { what: 'a PDF of noise', name: 'a.pdf', bytes: () => latin1(`%PDF-1.7\n${noise(50_000)}`), refuses: BROKEN_PDF },
  {
    what: 'a PDF with a password',
    name: 'a.pdf',
    bytes: () => pdfOf({ pages: ['a'], trailer: locked, more: lock }),
    refuses: 'needs a password',
  },
  { what: 'a PDF of pictures', name: 'a.pdf', bytes: () => pdfOf({ pages: ['', ''] }), refuses: 'Run OCR first' },
  {
    what: 'a PDF that claims a billion pages',
    name: 'a.pdf',
    bytes: () => pdfOf({ pages: ['a'], tree: '/Kids [10 0 R] /Count 1000000000' }),
    reads: 'a',
  },
  {
    what: 'a PDF of 2,500 pages',
    name: 'a.pdf',
    bytes: () => pdfOf({ pages: Array(2500).fill('a') }),
    refuses: 'more than 2000 pages',
  },
  {
    what: 'a PDF whose pages are their own parents',
    name: 'a.pdf',
    bytes: () => pdfOf({ pages: ['a'], tree: '/Kids [2 0 R 2 0 R] /Count 2' }),
    refuses: 'Run OCR first',
  },
  {
    what: 'a PDF that draws a form in itself',
    name: 'a.pdf',
    bytes: () => pdfOf({ pages: [{ content: latin1('/X Do BT /F1 9 Tf (ok) Tj ET') }], more: selfDrawn }),
    reads: 'ok',
  },
  {
    what: 'a PDF whose page unpacks to 300 MB',
    name: 'a.pdf',
    bytes: () => pdfOf({ pages: [{ content: pdfBomb(), filter: '/FlateDecode' }] }),
    refuses: TOO_MUCH_PDF,
  },
  {
    what: 'a PDF whose page is packed twice',
    name: 'a.pdf',
    bytes: () => pdfOf({ pages: [{ content: deflateSync(pdfBomb()), filter: '[/FlateDecode /FlateDecode]' }] }),
    refuses: TOO_MUCH_PDF,
  },
  {
    what: 'a PDF of a hundred pages of 4 MB each',
    name: 'a.pdf',
    bytes: () => pdfOf({ pages: Array(100).fill({ content: deflateSync(spaces(4)), filter: '/FlateDecode' }) }),
    refuses: TOO_MUCH_PDF,
  },
  {
    what: 'a PDF whose stream hides its end',
    name: 'a.pdf',
    bytes: () => pdfOf({ pages: [{ content: hiddenEnd(), filter: '/FlateDecode' }] }),
    refuses: TOO_MUCH_PDF,
  },
  {
    what: 'a PDF of a million open brackets',
    name: 'a.pdf',
    bytes: () => pdfOf({ pages: [{ content: latin1('['.repeat(1_000_000)) }] }),
    refuses: 'Run OCR first',
  },
  {
    what: 'a picture named as PDF',
    name: 'a.pdf',
    bytes: () => Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]),
    refuses: 'This is a picture',
  },
  {
    what: 'a file of 50 MB and a byte',
    name: 'a.pdf',
    bytes: () => Buffer.alloc(50 * MB + 1, 0x20),
    refuses: 'larger than 50 MB',
  },
]

/** The first block says where the stream would end, the next ones go on. */
function hiddenEnd(): Uint8Array {
  const said = latin1('endstream endobj ')
  const block = Buffer.concat([Buffer.from([0, said.length, 0, ~said.length & 0xff, 0xff]), said])
  return joinBytes([HEADER, block, packedBomb()])
}

/** The same letters each time. */
function noise(length: number): string {
  let state = 1
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647
    return String.fromCharCode(state % 256)
  }).join('')
}

const deflated = (text: string) => deflateRawSync(latin1(text))
const wordPart = (packed: Uint8Array, rest = {}) => ({ name: 'word/document.xml', packed, size: 100, ...rest })

const zips: HostileFile[] = [
  {
    what: 'a Word file cut off in the middle',
    name: 'a.docx',
    bytes: () => half(docxOf(paragraph('a'.repeat(9999)))),
    refuses: BROKEN_ZIP,
  },
  { what: 'the head of a zip', name: 'a.docx', bytes: () => latin1('PK\x03\x04'), refuses: BROKEN_ZIP },
  { what: 'an empty zip', name: 'a.docx', bytes: () => rawZip([]), refuses: 'This is an archive' },
  { what: 'text named as Word file', name: 'a.docx', bytes: () => latin1('hello'), refuses: 'This is not a DOCX file' },
  {
    what: 'an Office file with a password',
    name: 'a.docx',
    bytes: () => latin1('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'),
    refuses: 'without a password',
  },
  {
    what: 'a Word file that unpacks to 300 MB',
    name: 'a.docx',
    bytes: () => rawZip([wordPart(packedBomb(), { size: 300 * MB })]),
    refuses: 'unpacks to more than 200 MB',
  },
  {
    what: 'a Word file that unpacks to more than it says',
    name: 'a.docx',
    bytes: () => rawZip([wordPart(packedBomb())]),
    refuses: BROKEN_ZIP,
  },
  {
    what: 'a Word file that unpacks to less than it says',
    name: 'a.docx',
    bytes: () => rawZip([wordPart(deflated('<w:p/>'))]),
    refuses: BROKEN_ZIP,
  },
  {
    what: 'a thousand parts that share their bytes',
    name: 'a.docx',
    bytes: () =>
      rawZip(
        Array.from({ length: 1000 }, (_, index) => ({
          name: index ? `p${index}` : 'word/document.xml',
          packed: index ? new Uint8Array() : deflateRawSync(spaces(1)),
          size: MB,
          offset: 0,
        })),
      ),
    refuses: 'unpacks to more than 200 MB',
  },
  {
    what: 'a zip of 20,000 parts',
    name: 'a.docx',
    bytes: () =>
      rawZip(Array.from({ length: 20_000 }, (_, index) => ({ name: `p${index}`, packed: new Uint8Array(), size: 0 }))),
    refuses: 'more than 10000 parts',
  },
  {
    what: 'a zip that counts more parts than it has',
    name: 'a.docx',
    bytes: () => rawZip([wordPart(deflated('a'))], 9999),
    refuses: BROKEN_ZIP,
  },
  {
    what: 'a part that stands behind the end',
    name: 'a.docx',
    bytes: () => rawZip([wordPart(deflated('a'), { offset: 0xfffffff0 })]),
    refuses: BROKEN_ZIP,
  },
  {
    what: 'a zip with encrypted parts',
    name: 'a.docx',
    bytes: () => rawZip([wordPart(deflated('a'), { flags: 1 })]),
    refuses: 'This file is encrypted',
  },
  {
    what: 'a zip packed in an unknown way',
    name: 'a.docx',
    bytes: () => rawZip([wordPart(latin1('a'), { method: 14, size: 1 })]),
    refuses: BROKEN_ZIP,
  },
  {
    what: 'a zip whose bytes are no deflate',
    name: 'a.docx',
    bytes: () => rawZip([wordPart(latin1(noise(500)))]),
    refuses: BROKEN_ZIP,
  },
  {
    what: 'a zip in a zip',
    name: 'a.zip',
    bytes: () => zipOf({ 'b.zip': docxOf(paragraph('a')) }),
    refuses: 'Unpack it',
  },
  {
    what: 'parts with names that lead away',
    name: 'a.docx',
    bytes: () => docxOf(paragraph('inside'), { '../../etc/passwd': 'x', '/etc/shadow': 'x' }),
    reads: 'inside',
  },
]

const lol = Array.from({ length: 10 }, (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`).join('')
const wordXml = (declared: string, text: string) =>
  zipOf({
    'word/document.xml': `<?xml version="1.0"?><!DOCTYPE d [${declared}]><w:document>${paragraph(text)}</w:document>`,
  })

const offices: HostileFile[] = [
  {
    what: 'a workbook whose cells name one text of spaces',
    name: 'a.xlsx',
    bytes: () =>
      xlsxOf(
        { S: `${row('a', 'b')}<row>${'<c r="A2" t="s"><v>0</v></c>'.repeat(200_000)}</row>${row('c', 'ok')}` },
        { 'xl/sharedStrings.xml': `<sst><si><t>${' '.repeat(1_000_000)}</t></si></sst>` },
      ),
    reads: 'ok',
  },
  {
    what: 'a workbook whose row names one long text again and again',
    name: 'a.xlsx',
    bytes: () =>
      xlsxOf(
        { S: `${row('a', 'b')}<row>${'<c r="A2" t="s"><v>0</v></c>'.repeat(200_000)}</row>` },
        { 'xl/sharedStrings.xml': `<sst><si><t>${'x'.repeat(1_000_000)}</t></si></sst>` },
      ),
    refuses: TOO_MUCH_TEXT,
  },
  {
    what: 'a billion laughs',
    name: 'a.docx',
    bytes: () => wordXml(`<!ENTITY l0 "lol">${lol}`, 'ha &l10; ha'),
    reads: 'ha &l10; ha',
  },
  {
    what: 'an entity that names a file',
    name: 'a.docx',
    bytes: () => wordXml('<!ENTITY x SYSTEM "file:///etc/passwd">', 'in &x; out'),
    reads: 'in &x; out',
  },
  {
    what: 'elements 100,000 deep',
    name: 'a.docx',
    bytes: () => docxOf('<w:sdt>'.repeat(100_000)),
    refuses: 'nested too deeply',
  },
  {
    what: 'a Word file of 180 million letters',
    name: 'a.docx',
    bytes: () => {
      const text = Buffer.alloc(180 * MB, paragraph('ab '.repeat(1000)))
      return rawZip([wordPart(deflateRawSync(text, { level: 1 }), { size: text.length })])
    },
    refuses: TOO_MUCH_TEXT,
  },
  {
    what: 'a Word file without its document',
    name: 'a.docx',
    bytes: () => docxOf(''),
    refuses: 'This file has no text',
  },
  {
    what: 'a Word file of 100,000 open tables',
    name: 'a.docx',
    bytes: () => docxOf(`${'<w:tbl><w:tr><w:tc/></w:tr></w:tbl>'.repeat(100_000)}${paragraph('end')}`),
    reads: 'end',
  },
  {
    what: 'a workbook of 200,000 rows',
    name: 'a.xlsx',
    bytes: () => xlsxOf({ S: row('a', 1).repeat(200_000) }),
    refuses: 'more than 100000 records',
  },
  {
    what: 'a workbook whose rows have only a last cell',
    name: 'a.xlsx',
    bytes: () => xlsxOf({ S: '<row><c r="XFD1"><v>1</v></c></row>'.repeat(20_000) }),
    reads: '1: 1',
  },
  {
    what: 'a workbook that names texts that it has not',
    name: 'a.xlsx',
    bytes: () =>
      xlsxOf({ S: `${row('a', 'b')}<row><c t="s"><v>99999999</v></c><c t="s"><v>-1</v></c><c><v>ok</v></c></row>` }),
    reads: 'ok',
  },
  {
    what: 'a workbook of three million texts',
    name: 'a.xlsx',
    bytes: () => xlsxOf({ S: row('a') }, { 'xl/sharedStrings.xml': `<sst>${'<si/>'.repeat(3_000_000)}</sst>` }),
    refuses: 'too many texts',
  },
  {
    what: 'a workbook that is a sheet to itself',
    name: 'a.xlsx',
    bytes: () =>
      xlsxOf({ S: row('a') }, { 'xl/_rels/workbook.xml.rels': '<r><Relationship Id="r0" Target="workbook.xml"/></r>' }),
    refuses: 'This file has no text',
  },
  {
    what: 'a workbook of a million cells in a row',
    name: 'a.xlsx',
    bytes: () => xlsxOf({ S: `<row>${'<c><v>1</v></c>'.repeat(1_000_000)}</row>` }),
    refuses: 'more than 1000 columns',
  },
  {
    what: 'a sheet that repeats a cell a billion times',
    name: 'a.ods',
    bytes: () =>
      odfOf(
        'spreadsheet',
        `<table:table><table:table-row table:number-rows-repeated="1000000000"><table:table-cell table:number-columns-repeated="1000000000"><text:p>x</text:p></table:table-cell></table:table-row></table:table>`,
      ),
    reads: 'x',
  },
  {
    what: 'a text of a billion spaces',
    name: 'a.odt',
    bytes: () => odfOf('text', '<text:p>a<text:s text:c="1000000000"/>b</text:p>'),
    reads: 'b',
  },
  {
    what: 'an OpenDocument text with a password',
    name: 'a.odt',
    bytes: () => odfOf('text', '', { 'META-INF/manifest.xml': '<m><manifest:encryption-data/></m>' }),
    refuses: 'This file is encrypted',
  },
  {
    what: 'a presentation of 3,000 slides',
    name: 'a.pptx',
    bytes: () => pptxOf(Array(3000).fill({ body: shape('a') })),
    refuses: 'more than 2000 slides',
  },
  {
    what: 'a presentation of one slide a million times',
    name: 'a.pptx',
    bytes: () =>
      zipOf({
        'ppt/presentation.xml': `<p>${'<p:sldId r:id="r"/>'.repeat(1_000_000)}</p>`,
        'ppt/_rels/presentation.xml.rels': '<r><Relationship Id="r" Target="s.xml"/></r>',
        'ppt/s.xml': `<p>${shape('once')}</p>`,
      }),
    reads: 'once',
  },
  {
    what: 'a presentation whose slides share notes of 2 MB',
    name: 'a.pptx',
    bytes: () => {
      const slides = Array.from({ length: 150 }, (_, index) => index)
      const noted = '<r><Relationship Id="n" Type="/notesSlide" Target="n.xml"/></r>'
      return zipOf({
        'ppt/presentation.xml': `<p>${slides.map((index) => `<p:sldId r:id="r${index}"/>`).join('')}</p>`,
        'ppt/_rels/presentation.xml.rels': `<r>${slides.map((index) => `<Relationship Id="r${index}" Target="s${index}.xml"/>`).join('')}</r>`,
        ...Object.fromEntries(slides.map((index) => [`ppt/s${index}.xml`, `<p>${shape('a')}</p>`])),
        ...Object.fromEntries(slides.map((index) => [`ppt/_rels/s${index}.xml.rels`, noted])),
        'ppt/n.xml': spaces(2),
      })
    },
    refuses: 'unpacks to more than 200 MB',
  },
  {
    what: 'a book of 2,500 chapters',
    name: 'a.epub',
    bytes: () => epubOf(Array(2500).fill('<p>a</p>')),
    refuses: 'more than 2000 chapters',
  },
  {
    what: 'a book without a package',
    name: 'a.epub',
    bytes: () => zipOf({ 'META-INF/container.xml': '<container/>' }),
    refuses: BROKEN_ZIP,
  },
  {
    what: 'a book that is protected',
    name: 'a.epub',
    bytes: () => epubOf(['a'], { 'META-INF/encryption.xml': '<e><CipherReference URI="OPS/text/c%200.xhtml"/></e>' }),
    refuses: 'protected against copying',
  },
  {
    what: 'a book whose chapter is 6 MB of tags',
    name: 'a.epub',
    bytes: () => epubOf(['<p>a'.repeat(1_500_000)]),
    refuses: 'too long',
  },
]

const texts: HostileFile[] = [
  {
    what: 'JSON of many values below one long key',
    name: 'a.json',
    bytes: () => latin1(`{"${'k'.repeat(1_000_000)}":[${'1,'.repeat(200_000)}1]}`),
    refuses: TOO_MUCH_TEXT,
  },
  { what: 'a text of 50 MB', name: 'a.txt', bytes: () => Buffer.alloc(50 * MB, 'word '), refuses: TOO_MUCH_TEXT },
  {
    what: 'a text of 19 MB with one emoji',
    name: 'a.txt',
    bytes: () => Buffer.concat([Buffer.alloc(19 * MB, 'word '), Buffer.from('😀')]),
    reads: 'word',
  },
  { what: 'a text of NULs', name: 'a.txt', bytes: () => Buffer.alloc(1000), refuses: 'This file is not text' },
  { what: 'half a UTF-16 letter', name: 'a.txt', bytes: () => Buffer.from([0xff, 0xfe, 0x61, 0x00, 0x62]), reads: 'a' },
  {
    what: 'a table of four million rows',
    name: 'a.csv',
    bytes: () => Buffer.alloc(15 * MB, 'a,b\n'),
    refuses: 'more than 100000 records',
  },
  {
    what: 'a table of ten million columns',
    name: 'a.csv',
    bytes: () => Buffer.alloc(10 * MB, ','),
    refuses: 'more than 1000 columns',
  },
  {
    what: 'a quote of 15 MB that never ends',
    name: 'a.csv',
    bytes: () => Buffer.alloc(15 * MB, '"a,b\n'.repeat(3)),
    refuses: 'This ',
  },
  { what: 'JSON ten million levels deep', name: 'a.json', bytes: () => Buffer.alloc(10 * MB, '['), refuses: 'This ' },
  {
    what: 'JSON of six million empty lists',
    name: 'a.json',
    bytes: () => latin1(`{"a":[${'[],'.repeat(6_000_000)}1]}`),
    refuses: 'too many values',
  },
  {
    what: 'JSON Lines of one line of 15 MB',
    name: 'a.jsonl',
    bytes: () => latin1(`"${'a'.repeat(15 * MB)}"`),
    reads: 'aaa',
  },
  {
    what: 'YAML of a billion laughs',
    name: 'a.yaml',
    bytes: () => latin1(`a: &a [x]\nb: [${'*a,'.repeat(100)}*a]`),
    reads: '*a',
  },
  { what: 'a page of 10 MB', name: 'a.html', bytes: () => Buffer.alloc(10 * MB, '<p>word'), refuses: 'too long' },
  {
    what: 'a page of a million open elements',
    name: 'a.html',
    bytes: () => latin1('<div>'.repeat(900_000)),
    refuses: 'nested too deeply',
  },
  {
    what: 'a page of one tag of 4 MB',
    name: 'a.html',
    bytes: () => latin1(`<p ${'a="b" '.repeat(600_000)}>end`),
    reads: 'end',
  },
]

export const hostileFiles: HostileFile[] = [...pdfs, ...zips, ...offices, ...texts]

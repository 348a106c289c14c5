/** Packs small Office files, OpenDocument files and books. */
import { strToU8, zipSync } from 'fflate'

/** Returns a zip file of these parts. */
export const zipOf = (parts: Record<string, string | Uint8Array>): Uint8Array<ArrayBuffer> =>
  zipSync(
    Object.fromEntries(
      Object.entries(parts).map(([name, part]) => [name, typeof part === 'string' ? strToU8(part) : part]),
    ),
  )

const relations = (targets: Record<string, [type: string, target: string]>) =>
  `<Relationships>${Object.entries(targets)
    .map(([id, [type, target]]) => `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`

export const docxOf = (body: string, more: Record<string, string> = {}) =>
  zipOf({
    '[Content_Types].xml': '<Types/>',
    'word/document.xml': `<?xml version="1.0"?><w:document><w:body>${body}</w:body></w:document>`,
    'word/styles.xml':
      '<w:styles><w:style w:styleId="Ttl"><w:name w:val="Title"/></w:style><w:style w:styleId="H2"><w:name w:val="heading 2"/></w:style><w:style w:styleId="Own"><w:name w:val="Own"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style></w:styles>',
    ...more,
  })

export const paragraph = (text: string, style = '') =>
  `<w:p><w:pPr>${style && `<w:pStyle w:val="${style}"/>`}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`

export const xlsxOf = (sheets: Record<string, string>, more: Record<string, string> = {}) => {
  const names = Object.keys(sheets)
  return zipOf({
    'xl/workbook.xml': `<workbook><workbookPr/><sheets>${names.map((name, index) => `<sheet name="${name}" r:id="r${index}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      Object.fromEntries(names.map((_, index) => [`r${index}`, ['worksheet', `worksheets/s${index}.xml`]])),
    ),
    ...Object.fromEntries(
      Object.values(sheets).map((rows, index) => [
        `xl/worksheets/s${index}.xml`,
        `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
    ...more,
  })
}

/** A row of texts as they stand in the cells. */
export const row = (...cells: (string | number)[]) =>
  `<row>${cells
    .map((cell) =>
      typeof cell === 'number' ? `<c><v>${cell}</v></c>` : `<c t="inlineStr"><is><t>${cell}</t></is></c>`,
    )
    .join('')}</row>`

export const pptxOf = (slides: { body: string; notes?: string }[]) =>
  zipOf({
    'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${slides.map((_, index) => `<p:sldId r:id="r${index}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(
      Object.fromEntries(slides.map((_, index) => [`r${index}`, ['slide', `slides/slide${index}.xml`]])),
    ),
    ...Object.fromEntries(
      slides.flatMap(({ body, notes }, index) => [
        [`ppt/slides/slide${index}.xml`, `<p:sld>${body}</p:sld>`],
        ...(notes === undefined
          ? []
          : [
              [
                `ppt/slides/_rels/slide${index}.xml.rels`,
                relations({ r1: ['notesSlide', `../notesSlides/n${index}.xml`] }),
              ],
              [`ppt/notesSlides/n${index}.xml`, `<p:notes>${notes}</p:notes>`],
            ]),
      ]),
    ),
  })

export const shape = (text: string, placeholder = '') =>
  `<p:sp>${placeholder && `<p:nvPr><p:ph type="${placeholder}"/></p:nvPr>`}<p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`

export const odfOf = (kind: 'text' | 'spreadsheet' | 'presentation', body: string, more: Record<string, string> = {}) =>
  zipOf({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml': `<office:document-content><office:body>${body}</office:body></office:document-content>`,
    ...more,
  })

export const epubOf = (chapters: string[], more: Record<string, string> = {}) =>
  zipOf({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
    'OPS/book.opf': `<package><metadata><dc:title>The book</dc:title></metadata><manifest>${chapters
      .map((_, index) => `<item id="c${index}" href="text/c%20${index}.xhtml"/>`)
      .join(
        '',
      )}</manifest><spine>${chapters.map((_, index) => `<itemref idref="c${index}"/>`).join('')}</spine></package>`,
    ...Object.fromEntries(
      chapters.map((body, index) => [
        `OPS/text/c ${index}.xhtml`,
        `<html><head><title>Chapter ${index + 1}</title></head><body>${body}</body></html>`,
      ]),
    ),
    ...more,
  })

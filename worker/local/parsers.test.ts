// @defends xml-file-expands
// @defends one-text-keeps
/** Measures how the time of parsers grows with hostile texts of callers, senders, models, pages and tools. */
import { createParser } from 'eventsource-parser'
import { describe, expect, it } from 'vitest'
import { fencedJson, isTooDeep, parseFencedJson, pathOfNul } from '#contract/data/json.ts'
import { namesSecret } from '#contract/data/redact.ts'
import { contains, withoutTrailing } from '#contract/data/text.ts'
import { countTokens } from '#contract/document-stores/tokens.ts'
import { findAssets } from '#contract/flow/assets/assets.ts'
import { parsePath } from '#contract/flow/document/path.ts'
import { conditionOutputs } from '#contract/flow/kinds/chatflow/condition-outputs.ts'
import { plainText as editedText } from '#contract/flow/params/rich-text.ts'
import {
  compileTemplate,
  parseTemplate,
  renameReferences,
  wholeReference,
  writtenInJson,
} from '#contract/flow/references/references.ts'
import { artifactsIn } from '#contract/runs/artifacts.ts'
import { parseFilter, parsePath as parseScimPath } from '#contract/scim/filter.ts'
import { parseCron } from '#contract/triggers/cron.ts'
import { checkSchedule, parseInstant, parsePicker } from '#contract/triggers/schedule.ts'
import { readWebhookBody } from '#contract/triggers/webhook-body.ts'
import { signatureClaim } from '#contract/triggers/webhook-signature.ts'
import { createRedactor } from '#worker/engine/redactor.ts'
import { readDesign } from '#worker/frameworks/adk/read-design.ts'
import { readFile } from '#worker/knowledge/readers/index.ts'
import { docxOf, odfOf, xlsxOf } from '#worker/knowledge/readers/testing/office.ts'
import { pdfOf } from '#worker/knowledge/readers/testing/pdf.ts'
import { splitDocument, splitters } from '#worker/knowledge/splitters/index.ts'
import { schemaProblem } from '#worker/llm/schema-problem.ts'
import { readStructured } from '#worker/llm/structured-output.ts'
import { fitSchema } from '#worker/models/practice/fit-schema.ts'
import { EventStream } from '#worker/models/streams/event-stream.ts'
import { condition } from '#worker/nodes/agentflow/condition.ts'
import { readList } from '#worker/nodes/agentflow/iteration.ts'
import { runStep } from '#worker/nodes/testing/steps.ts'
import type { Network } from '#worker/providers/json-api.ts'
import { reasonIn } from '#worker/providers/json-api.ts'
import { editorText } from '#worker/text/html-to-markdown.ts'
import { htmlToText } from '#worker/text/html-to-text.ts'
import { parseLenientJson } from '#worker/text/lenient-json.ts'
import { plainText } from '#worker/text/markdown-to-text.ts'
import { parseHtml, parseXml, textIn } from '#worker/text/xml.ts'
import { evaluate } from '#worker/tools/basic/arithmetic.ts'
import { readPath } from '#worker/tools/basic/json-path.ts'
import { composeMail, readMail } from '#worker/tools/google/gmail/mime.ts'
import { listOperations, readOperation } from '#worker/tools/openapi/operations.ts'
import { listServers, readSpec } from '#worker/tools/openapi/spec.ts'
import { forModels, safeSchema } from '#worker/tools/schema.ts'
import { plain } from '#worker/tools/search/search.ts'
import { parseMarkdown } from '../../web/widget/markdown.ts'
import { findRunaway, hostile } from './testing/growth.ts'

interface Reader {
  read(text: string): unknown
  /** Openers of nested constructs in the parsed language. */
  starts?: string[]
  /** Number of characters; smaller for slow parsers. */
  longest?: number
}

const position = { x: 0, y: 0 }
const timezone = 'Europe/Berlin'
const bytesOf = (text: string) => new TextEncoder().encode(text)
const webhook = (contentType: 'application/json' | 'application/x-www-form-urlencoded') => (text: string) =>
  readWebhookBody(contentType, { bytes: bytesOf(text), contentType, contentEncoding: null })
const compares = (operation: string) => (text: string) =>
  runStep(condition, {
    conditions: [{ type: 'string', value1: text, operation, value2: `b${text.slice(text.length / 2)}` }],
  })

/** The formats that the validator knows. */
const SCHEMA_FORMATS = [
  'date-time',
  'date',
  'time',
  'duration',
  'uri',
  'uri-reference',
  'uri-template',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'regex',
  'uuid',
  'json-pointer-uri-fragment',
  'json-pointer',
  'relative-json-pointer',
]
/** A message in Gmail's format. */
const mail = (mimeType: string) => (text: string) =>
  readMail({ payload: { mimeType, body: { data: Buffer.from(text).toString('base64url') } } })
const mailOfParts = (text: string) => {
  const parts = [...text].map((filename) => ({ mimeType: 'text/plain', filename }))
  return readMail({ payload: { headers: [{ name: 'From', value: text }], parts } })
}
const describedApi = async (text: string) => {
  const spec = await readSpec({ inputType: 'file', openApiFile: text }, {} as Network)
  return [listServers(spec), listOperations(spec.document).map((head) => readOperation(spec.document, head))]
}
const adkDesign = (text: string) =>
  readDesign(['root_agent.yaml', '.env'].map((name) => ({ name, bytes: bytesOf(text) })))
const schemaOfTool = (text: string) => {
  const schema = safeSchema(JSON.parse(text))
  return [forModels(schema), schemaProblem({ a: text }, schema, '2020-12'), fitSchema(schema, text)]
}
/** A chunk, as egress passes a body on to the SDKs of models and MCP servers. Its final CR mixes the line ends. */
const eventStream = (text: string) => createParser({ onEvent: () => {} }).feed(`${text}\r`)
/** A model's answer, whole and letter by letter. */
const answerStream = (text: string) => {
  new EventStream().push(text)
  const stream = new EventStream()
  for (const letter of text) stream.push(letter)
}

/** Holds one secret again and again, and another nowhere. */
const secretStream = (text: string) => {
  const secrets = createRedactor()
  secrets.add(['aaaaaa', 'aaaaaaaab'])
  return secrets.openEnd(text)
}

const readAs = (name: string, pack: (text: string) => Uint8Array) => (text: string) =>
  readFile(pack(text), { name, mime: '' })
/** Every splitter, with pieces short and overlapping enough to cut everywhere. */
const splitAll = (text: string) =>
  splitters.flatMap(({ definition: { name } }) =>
    (['markdown', 'html'] as const).map((format) =>
      splitDocument({ text, format, metadata: {} }, name, { chunkSize: 20, chunkOverlap: 15, language: 'js' }),
    ),
  )

const readers: Record<string, Reader> = {
  'an answer in the widget': {
    read: parseMarkdown,
    starts: ['**a _b ', '[a](', '> ', '- a\n  ', '`', '``a` ', '|a|\n|-|\n', 'http://', '\\'],
  },
  'the text of a document that is cut': { read: splitAll, starts: ['# a\n', '```\n', 'class a\n'] },
  'the tokens of a text': { read: countTokens },
  'a table as CSV': { read: readAs('a.csv', bytesOf), starts: ['a,b\n"', 'a;b\n'] },
  'a JSON file': { read: readAs('a.json', bytesOf), starts: ['[', '{"a":', '["'] },
  'a JSON Lines file': { read: readAs('a.jsonl', bytesOf), starts: ['{"a":1}\n'] },
  'an HTML file': { read: readAs('a.html', bytesOf), starts: ['<p>', '<table><tr><td>'] },
  'a Word file': {
    read: readAs('a.docx', docxOf),
    longest: 1024,
    starts: ['<w:p><w:r><w:t>', '<w:tbl><w:tr><w:tc>', '<w:p><w:pPr>'],
  },
  'the sheet of a workbook': {
    read: readAs('a.xlsx', (S) => xlsxOf({ S })),
    longest: 1024,
    starts: ['<row><c><v>', '<row><c t="inlineStr"><is><t>'],
  },
  'an OpenDocument text': {
    read: readAs('a.odt', (body) => odfOf('text', body)),
    longest: 1024,
    starts: ['<text:p>', '<text:list><text:list-item><text:p>'],
  },
  'the page of a PDF': {
    read: readAs('a.pdf', (text) => pdfOf({ pages: [{ content: bytesOf(text) }] })),
    longest: 1024,
    starts: ['BT /F1 9 Tf (', '['],
  },
  'the open end of what a run says': { read: secretStream, starts: ['aaaaaa'] },
  'the Markdown of a comparison': { read: plainText, starts: ['1', '[a](b "'] },
  'a condition with "contains"': { read: compares('contains') },
  'a condition with "ends with"': { read: compares('endsWith') },
  'a search in a text': {
    read: (text) => contains(text, text.slice(0, text.length / 4) + text.slice(text.length / 2)),
  },
  'trailing slashes': { read: (text) => withoutTrailing(text, '/') },
  'the editor’s HTML': { read: editorText, starts: ['<p>', '<ul><li>', '<a href="', '<pre>'] },
  'a directory’s filter': { read: parseFilter, starts: ['a eq "', 'a eq "a" and ', 'a[b eq "', 'a['] },
  'a path of a directory’s change': { read: parseScimPath, starts: ['a[b eq "', 'a['] },
  'the list of an iteration': { read: readList, starts: ['[', '```json\n', '["'] },
  'lenient JSON': { read: parseLenientJson, starts: ['{', "['", '//', '/*'] },
  'a model’s JSON': { read: (text) => [parseFencedJson(text), fencedJson(text)], starts: ['```json\n', '```'] },
  'the depth of JSON': {
    read: (text) => [isTooDeep(JSON.parse(text)), pathOfNul(JSON.parse(text))],
    starts: ['[', '{'],
  },
  'a template': { read: (text) => [parseTemplate(text), wholeReference(text)], starts: ['{{', '<span data-type="'] },
  'the variables of a code text': {
    read: (code) =>
      findAssets({
        nodes: [{ id: 'n', type: 't', position, data: { id: 'n', name: 'n', label: '', inputs: { code } } }],
      }),
    starts: ['$vars.', '$vars?.', '$vars["', '{{$vars.'],
  },
  'a resolved template': { read: (text) => compileTemplate(`{{a}} ${text}`)?.(() => text), starts: ['{{a'] },
  'a value inserted into JSON': {
    read: (text) => compileTemplate('{"a": "{{b}}", "c": {{d}}}', writtenInJson)?.(() => text),
  },
  'a template with renamed nodes': {
    read: (text) => renameReferences(text, new Map([['a', 'b']])),
    starts: ['<span data-type="mention">{{a'],
  },
  'a path': { read: parsePath, starts: ['a', 'a["', 'a.b'] },
  'a cron expression': { read: (text) => [parseCron(text), parsePicker(text)], starts: ['* * * * ', '1-', '1,'] },
  'a schedule': { read: (cron) => checkSchedule({ cron, timezone, endDate: cron }) },
  'an instant': { read: (text) => parseInstant(text, timezone), starts: ['2026-01-01T'] },
  'a webhook’s JSON body': { read: webhook('application/json'), starts: ['{"a":', '["'] },
  'a webhook’s form body': { read: webhook('application/x-www-form-urlencoded'), starts: ['payload=', 'a='] },
  'a header’s name': { read: namesSecret },
  'a signature': {
    read: (text) => signatureClaim({ signature: 'stripe', signatureHeader: '' }, () => text),
    starts: ['t=', 't=1,v1='],
  },
  'images in a function’s result': { read: artifactsIn, starts: ['data:image/png;base64,'] },
  'a chat flow condition’s code': {
    read: (code) => conditionOutputs('a', { mode: 'code', code }),
    starts: ['return "', '/*', '`'],
  },
  'a structured answer': { read: (text) => readStructured(text, { type: 'object' }), starts: ['{"a":"'] },
  'a web page': {
    read: async (text) => htmlToText(await parseHtml(text), 'https://example.com/'),
    starts: ['<p>', '<ul><li>', '<pre>', '<a href="', '<table><tr><td>', '<svg>', '<b style="display:'],
  },
  XML: { read: async (text) => textIn(await parseXml(text)), starts: ['<?xml ', '<a>', '<![CDATA['] },
  'a search service’s response': { read: plain, starts: ['&'] },
  'a service’s error response': { read: reasonIn, starts: ['{"message":"', '['] },
  'the recipients of an email': { read: (to) => composeMail({ to }), starts: ['a <'] },
  'a plain-text email': { read: mail('text/plain') },
  'an HTML email': { read: mail('text/html'), starts: ['<p>', '<ul><li>'] },
  'a multipart email': { read: mailOfParts },
  'an API description': {
    read: describedApi,
    longest: 1024,
    starts: [
      'paths:\n  ',
      'paths: {',
      'paths: &a\n  /a: *a\n  ',
      'paths: {}\na: |\n  ',
      '{"paths":{"/a":{"get":{"operationId":"',
    ],
  },
  'a design of Google ADK': {
    read: adkDesign,
    longest: 1024,
    starts: [
      'name: ',
      'a: &a\n  ',
      'a: |\n  ',
      '{a: [',
      'agent_class: Workflow\nname: a\nedges:\n  - [START, ',
      'name: a\ninstruction: |\n  ',
      'name: a\ninstruction: b\ntools: [{name: a.b, args: {token: "',
    ],
  },
  'a link of an API': {
    read: (url) => listServers({ document: { servers: [{ url }] } }),
    starts: ['/{', 'https://a/{'],
  },
  'a tool’s schema': { read: schemaOfTool, starts: ['{"properties":{"a":', '{"description":"'] },
  'data for a schema': {
    read: (text) =>
      fitSchema({ properties: { a: { type: 'array' }, b: { type: 'number' }, c: { enum: [text] } } }, text),
    starts: ['1', '-1.'],
  },
  'a tool’s argument': {
    read: (a) => SCHEMA_FORMATS.map((format) => schemaProblem({ a }, { properties: { a: { format } } }, '2020-12')),
    starts: ['http://', 'a@', '2026-01-01T00:00:00', '1.', '::', '/', 'P1'],
  },
  'a stream of events': {
    read: eventStream,
    starts: ['data: ', 'data\r', ':', 'id: ', 'event: a\rdata: '],
  },
  'the events of a model’s answer': { read: answerStream, starts: ['data: ', 'data: a\ndata: ', ':'] },
  'rich text of older files': { read: editedText, starts: ['<p>', '<p><span ', '<p></p>'] },
  'a path into JSON': { read: (text) => readPath({ a: 1 }, text), starts: ['a', "['", '[ '] },
  arithmetic: { read: evaluate, starts: ['1', '(', 'max('] },
}

const LONGEST = 4_096

describe('parsers of untrusted text', () => {
  const cases = Object.entries(readers).flatMap(([name, { read, starts = [], longest = LONGEST }]) =>
    ['', ...starts].map((start) => ({ name, read, start, longest })),
  )
  it.each(cases)(
    'takes linear time for $name that starts with $start',
    async ({ read, start, longest }) => {
      expect(await findRunaway(read, hostile(start), longest)).toBeUndefined()
    },
    120_000,
  )
})

/** What reads texts of callers, senders, models, pages and tools, grown over hostile texts. */
import { createParser } from 'eventsource-parser'
import { describe, expect, it } from 'vitest'
import { fencedJson, isTooDeep, parseFencedJson, pathOfNul } from '#contract/data/json.ts'
import { namesSecret } from '#contract/data/redact.ts'
import { contains, withoutTrailing } from '#contract/data/text.ts'
import { parsePath } from '#contract/flow/document/path.ts'
import { classicConditionOutputs } from '#contract/flow/kinds/agentflow/condition-alerts.ts'
import { plainText as editedText } from '#contract/flow/params/rich-text.ts'
import {
  compileTemplate,
  parseTemplate,
  renameReferences,
  wholeReference,
  writtenInJson,
} from '#contract/flow/references/references.ts'
import { artifactsIn } from '#contract/runs/artifacts.ts'
import { parseCron } from '#contract/triggers/cron.ts'
import { checkSchedule, instantOf, pickerOf } from '#contract/triggers/schedule.ts'
import { readWebhookBody } from '#contract/triggers/webhook-body.ts'
import { signatureClaim } from '#contract/triggers/webhook-signature.ts'
import { editorText } from '#worker/engine/html-to-markdown.ts'
import { parseLenientJson } from '#worker/llm/lenient-json.ts'
import { plainText } from '#worker/llm/markdown-to-text.ts'
import { schemaProblem } from '#worker/llm/schema-problem.ts'
import { readStructured } from '#worker/llm/structured-output.ts'
import { fitSchema } from '#worker/models/practice/fit-schema.ts'
import { condition } from '#worker/nodes/agentflow/condition.ts'
import { readList } from '#worker/nodes/agentflow/iteration.ts'
import { runStep } from '#worker/nodes/testing/steps.ts'
import { evaluate } from '#worker/tools/basic/arithmetic.ts'
import { readPath } from '#worker/tools/basic/json-path.ts'
import { composeMail, readMail } from '#worker/tools/google/gmail/mime.ts'
import { listOperations, readOperation } from '#worker/tools/openapi/operations.ts'
import { readSpec, serversOf } from '#worker/tools/openapi/spec.ts'
import { forModels, safeSchema } from '#worker/tools/schema.ts'
import { plain } from '#worker/tools/search/search.ts'
import { htmlToText } from '#worker/tools/web/html-to-text.ts'
import type { Network } from '#worker/tools/web/json-api.ts'
import { reasonIn } from '#worker/tools/web/json-api.ts'
import { parseHtml, parseXml, textIn } from '#worker/tools/web/xml.ts'
import { findRunaway, hostile } from './testing/growth.ts'

interface Reader {
  read(text: string): unknown
  /** What opens something in its language. */
  starts?: string[]
  /** Characters: fewer where each costs much. */
  longest?: number
}

const timezone = 'Europe/Berlin'
const bytesOf = (text: string) => new TextEncoder().encode(text)
const webhook = (contentType: 'application/json' | 'application/x-www-form-urlencoded') => (text: string) =>
  readWebhookBody(contentType, { bytes: bytesOf(text), contentType, contentEncoding: null })
const compares = (operation: string) => (text: string) =>
  runStep(condition, {
    conditions: [{ type: 'string', value1: text, operation, value2: `b${text.slice(text.length / 2)}` }],
  })

/** Those that the validator knows. */
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
/** As Gmail tells a mail. */
const mail = (mimeType: string) => (text: string) =>
  readMail({ payload: { mimeType, body: { data: Buffer.from(text).toString('base64url') } } })
const mailOfParts = (text: string) => {
  const parts = [...text].map((filename) => ({ mimeType: 'text/plain', filename }))
  return readMail({ payload: { headers: [{ name: 'From', value: text }], parts } })
}
const describedApi = async (text: string) => {
  const spec = await readSpec({ inputType: 'file', openApiFile: text }, {} as Network)
  return [serversOf(spec), listOperations(spec.document).map((head) => readOperation(spec.document, head))]
}
const schemaOfTool = (text: string) => {
  const schema = safeSchema(JSON.parse(text))
  return [forModels(schema), schemaProblem({ a: text }, schema, '2020-12'), fitSchema(schema, text)]
}
/** A piece, as egress hands a body on to the SDKs of models and MCP servers; the return at its end mixes the line ends. */
const eventStream = (text: string) => createParser({ onEvent: () => {} }).feed(`${text}\r`)

const readers: Record<string, Reader> = {
  'Markdown of a comparison': { read: plainText, starts: ['1', '[a](b "'] },
  'a condition that contains': { read: compares('contains') },
  'a condition that ends with': { read: compares('endsWith') },
  'a text that is looked for in another': {
    read: (text) => contains(text, text.slice(0, text.length / 4) + text.slice(text.length / 2)),
  },
  'slashes at an end': { read: (text) => withoutTrailing(text, '/') },
  'HTML of the editor': { read: editorText, starts: ['<p>', '<ul><li>', '<a href="', '<pre>'] },
  'the list of an iteration': { read: readList, starts: ['[', '```json\n', '["'] },
  'lenient JSON': { read: parseLenientJson, starts: ['{', "['", '//', '/*'] },
  'JSON of a model': { read: (text) => [parseFencedJson(text), fencedJson(text)], starts: ['```json\n', '```'] },
  'the depth of JSON': {
    read: (text) => [isTooDeep(JSON.parse(text)), pathOfNul(JSON.parse(text))],
    starts: ['[', '{'],
  },
  'a template': { read: (text) => [parseTemplate(text), wholeReference(text)], starts: ['{{', '<span data-type="'] },
  'a template that is filled in': { read: (text) => compileTemplate(`{{a}} ${text}`)?.(() => text), starts: ['{{a'] },
  'a value that is put into JSON': {
    read: (text) => compileTemplate('{"a": "{{b}}", "c": {{d}}}', writtenInJson)?.(() => text),
  },
  'a template whose nodes are renamed': {
    read: (text) => renameReferences(text, new Map([['a', 'b']])),
    starts: ['<span data-type="mention">{{a'],
  },
  'a path': { read: parsePath, starts: ['a', 'a["', 'a.b'] },
  'a cron expression': { read: (text) => [parseCron(text), pickerOf(text)], starts: ['* * * * ', '1-', '1,'] },
  'a schedule': { read: (cron) => checkSchedule({ cron, timezone, endDate: cron }) },
  'an instant': { read: (text) => instantOf(text, timezone), starts: ['2026-01-01T'] },
  'a webhook in JSON': { read: webhook('application/json'), starts: ['{"a":', '["'] },
  'a webhook as a form': { read: webhook('application/x-www-form-urlencoded'), starts: ['payload=', 'a='] },
  'the name of a header': { read: namesSecret },
  'a signature': {
    read: (text) => signatureClaim({ signature: 'stripe', signatureHeader: '' }, () => text),
    starts: ['t=', 't=1,v1='],
  },
  'pictures in what a function returns': { read: artifactsIn, starts: ['data:image/png;base64,'] },
  'the code of a classic condition': {
    read: (code) => classicConditionOutputs('a', { mode: 'code', code }),
    starts: ['return "', '/*', '`'],
  },
  'a structured answer': { read: (text) => readStructured(text, { type: 'object' }), starts: ['{"a":"'] },
  'a web page': {
    read: async (text) => htmlToText(await parseHtml(text), 'https://example.com/'),
    starts: ['<p>', '<ul><li>', '<pre>', '<a href="', '<table><tr><td>', '<svg>', '<b style="display:'],
  },
  XML: { read: async (text) => textIn(await parseXml(text)), starts: ['<?xml ', '<a>', '<![CDATA['] },
  'the answer of a search service': { read: plain, starts: ['&'] },
  'the answer of a service that refuses': { read: reasonIn, starts: ['{"message":"', '['] },
  'the addressees of a mail': { read: (to) => composeMail({ to }), starts: ['a <'] },
  'a mail as text': { read: mail('text/plain') },
  'a mail as a page': { read: mail('text/html'), starts: ['<p>', '<ul><li>'] },
  'a mail of many parts': { read: mailOfParts },
  'the description of an API': {
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
  'the link of an API': {
    read: (url) => serversOf({ document: { servers: [{ url }] } }),
    starts: ['/{', 'https://a/{'],
  },
  'the schema of a tool': { read: schemaOfTool, starts: ['{"properties":{"a":', '{"description":"'] },
  'data that fits a schema': {
    read: (text) =>
      fitSchema({ properties: { a: { type: 'array' }, b: { type: 'number' }, c: { enum: [text] } } }, text),
    starts: ['1', '-1.'],
  },
  'the argument of a tool': {
    read: (a) => SCHEMA_FORMATS.map((format) => schemaProblem({ a }, { properties: { a: { format } } }, '2020-12')),
    starts: ['http://', 'a@', '2026-01-01T00:00:00', '1.', '::', '/', 'P1'],
  },
  'a stream of events': {
    read: eventStream,
    starts: ['data: ', 'data\r', ':', 'id: ', 'event: a\rdata: '],
  },
  'what the rich editor of older files saved': { read: editedText, starts: ['<p>', '<p><span ', '<p></p>'] },
  'a path into data': { read: (text) => readPath({ a: 1 }, text), starts: ['a', "['", '[ '] },
  arithmetic: { read: evaluate, starts: ['1', '(', 'max('] },
}

const LONGEST = 4_096

describe('what reads texts of strangers takes time in proportion to them', () => {
  const cases = Object.entries(readers).flatMap(([name, { read, starts = [], longest = LONGEST }]) =>
    ['', ...starts].map((start) => ({ name, read, start, longest })),
  )
  it.each(cases)('$name, from $start on', async ({ read, start, longest }) => {
    expect(await findRunaway(read, hostile(start), longest)).toBeUndefined()
  })
})

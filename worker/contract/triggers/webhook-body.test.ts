// @defends webhook-body-read
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { WebhookSettings } from './settings.ts'
import { readWebhookBody } from './webhook-body.ts'

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

interface Sent {
  declared?: WebhookSettings['contentType']
  type?: string | null
  encoding?: string
}

function read(body: string | Uint8Array, { declared = JSON_TYPE, type = declared, encoding }: Sent = {}) {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  return readWebhookBody(declared, { bytes, contentType: type, contentEncoding: encoding ?? null })
}

describe('JSON', () => {
  it.each([
    ['{"a":[1,"ü"]}', { a: [1, 'ü'] }],
    [' [1] ', [1]],
    ['"text"', 'text'],
    ['null', null],
    ['', {}],
    ['\u{feff}{"a":1}', { a: 1 }],
  ])('reads %s', (text, value) => {
    expect(read(text)).toEqual({ isRead: true, value })
  })

  it('keeps prototype keys as data', () => {
    const result = read('{"__proto__":{"isAdmin":true},"constructor":1}')
    const value = (result as { value: Record<string, unknown> }).value
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor'])
    expect(value.isAdmin).toBeUndefined()
    expect(({} as Record<string, unknown>).isAdmin).toBeUndefined()
  })

  it.each([
    ['{"a":', /not valid JSON/, undefined],
    ['a=b', /not valid JSON/, undefined],
    ['[1,]', /not valid JSON/, undefined],
    ['{"a":{"b":["x\\u0000"]}}', /NUL/, 'body.a.b.0'],
    ['{"a\\u0000":1}', /NUL/, 'body.a\0'],
    ['['.repeat(300) + ']'.repeat(300), /nested too deeply/, undefined],
    ['['.repeat(200_000), /nested too deeply/, undefined],
    [`[${'1,'.repeat(100_000)}1]`, /more than 100000 values/, undefined],
  ])('rejects %.20s', (text, message, field) => {
    expect(read(text)).toEqual({
      isRead: false,
      status: 400,
      message: expect.stringMatching(message),
      ...(field && { field }),
    })
  })

  it.each([
    ['Latin-1', Uint8Array.of(0x22, 0xfc, 0x22)],
    ['UTF-16', Uint8Array.of(0xff, 0xfe, 0x22, 0x00)],
    ['an overlong slash', Uint8Array.of(0x22, 0xc0, 0xaf, 0x22)],
    ['half of a surrogate pair', Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)],
  ])('rejects %s', (_, bytes) => {
    expect(read(bytes)).toMatchObject({ isRead: false, status: 400, message: 'The body must be UTF-8' })
  })
})

describe('a form', () => {
  const form = (text: string) => read(text, { declared: FORM_TYPE })

  it.each([
    ['a=1&b=x+y%21', { a: '1', b: 'x y!' }],
    ['a=1&a=2&a=3', { a: ['1', '2', '3'] }],
    ['a', { a: '' }],
    ['payload=plain', { payload: 'plain' }],
    ['payload=17', { payload: '17' }],
    ['payload=null', { payload: 'null' }],
    [`payload=${encodeURIComponent('{"action":"opened"}')}&other=1`, { action: 'opened' }],
    [`payload=${encodeURIComponent('[1]')}`, [1]],
    ['payload=%7B%7D&payload=%7B%7D', { payload: ['{}', '{}'] }],
  ])('reads %s', (text, value) => {
    expect(form(text)).toEqual({ isRead: true, value })
  })

  it('keeps prototype keys as data', () => {
    const { value } = form('__proto__=x&toString=y') as { value: Record<string, unknown> }
    expect(Object.entries(value)).toEqual([
      ['__proto__', 'x'],
      ['toString', 'y'],
    ])
  })

  it('reads many fields of one name in linear time', () => {
    const { value } = form('a=1&'.repeat(99_999)) as { value: { a: string[] } }
    expect(value.a).toHaveLength(99_999)
  })

  it('rejects too many fields before it reads them', () => {
    expect(form('a&'.repeat(100_000))).toMatchObject({
      isRead: false,
      message: expect.stringContaining('100000 fields'),
    })
  })

  it.each(['a=%00', 'a%00=1', `payload=${encodeURIComponent('{"a":"\\u0000"}')}`])('rejects %s', (text) => {
    expect(form(text)).toMatchObject({ isRead: false, status: 400, message: expect.stringContaining('NUL') })
  })
})

describe('the content type of a body', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; charset=us-ascii',
    'application/json; version=2',
    'application/json; charset',
  ])('is JSON when it is %s', (type) => {
    expect(read('{}', { type })).toEqual({ isRead: true, value: {} })
  })

  it.each([
    FORM_TYPE,
    'multipart/form-data; boundary=x',
    'text/plain',
    'application/json-patch+json',
    'application/vnd.api+json',
    'application/jsonx',
    'application/json, application/x-www-form-urlencoded',
    'text/plain; application/json',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    '',
    null,
  ])('is not JSON when it is %s', (type) => {
    expect(read('{}', { type })).toMatchObject({
      isRead: false,
      status: 415,
      message: expect.stringContaining(JSON_TYPE),
    })
  })

  it('must be the configured one', () => {
    expect(read('{}', { declared: FORM_TYPE, type: JSON_TYPE })).toMatchObject({ status: 415 })
    expect(read('a=b', { declared: JSON_TYPE, type: FORM_TYPE })).toMatchObject({ status: 415 })
  })

  it.each(['gzip', 'br', 'gzip, identity', 'deflate'])('is rejected with the encoding %s', (encoding) => {
    expect(read('{}', { encoding })).toMatchObject({
      status: 415,
      message: expect.stringContaining('Content-Encoding'),
    })
  })

  it('is not needed without a body', () => {
    expect(read('', { type: null })).toEqual({ isRead: true, value: {} })
    expect(read('{}', { encoding: 'identity' })).toEqual({ isRead: true, value: {} })
  })
})

describe('any body', () => {
  it('is read or rejected', () => {
    fc.assert(
      fc.property(
        fc.uint8Array(),
        fc.option(fc.string()),
        fc.constantFrom(JSON_TYPE, FORM_TYPE),
        (bytes, type, declared) => {
          const result = readWebhookBody(declared, { bytes, contentType: type, contentEncoding: null })
          if (!result.isRead) expect([400, 415]).toContain(result.status)
        },
      ),
    )
  })

  it('is read unchanged when it is storable JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value)
        fc.pre(!text.includes('\\u0000'))
        expect(read(text)).toEqual({ isRead: true, value: JSON.parse(text) })
      }),
    )
  })
})

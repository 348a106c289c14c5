// @defends one-text-keeps
import { describe, expect, it } from 'vitest'
import { EventStream, MAX_EVENT } from './event-stream.ts'

const read = (...pieces: string[]) => {
  const stream = new EventStream()
  return pieces.flatMap((piece) => stream.push(piece))
}

const cases: [name: string, text: string, events: string[]][] = [
  ['line feeds', 'data: {"a":1}\n\ndata: b\n\n', ['{"a":1}', 'b']],
  ['carriage returns with line feeds', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
  ['carriage returns', 'data: a\r\rdata: b\r\rx', ['a', 'b']],
  ['mixed line ends', 'data: a\r\n\ndata: b\n\r\ndata: c\r\r\n', ['a', 'b', 'c']],
  ['no space after the colon', 'data:a\n\n', ['a']],
  ['one space of two', 'data:  a\n\n', [' a']],
  ['several lines of data', 'data: a\ndata:\ndata: b\n\n', ['a\n\nb']],
  ['several lines of data and carriage returns', 'data: a\r\ndata: b\r\n\r\n', ['a\nb']],
  ['comments, names and ids', ': hello\n\nevent: x\nid: 1\nretry: 5\ndata: a\n\n:\n\n', ['a']],
  ['an event without its end', 'data: a\n\ndata: b\n', ['a']],
  ['letters of several bytes', 'data: Zoë 👋 日本\n\n', ['Zoë 👋 日本']],
]

describe('events', () => {
  it.each(cases)('are found with %s', (_, text, events) => {
    expect(read(text)).toEqual(events)
  })

  it.each(cases)('are the same wherever a text with %s is cut', (_, text, events) => {
    for (let at = 0; at <= text.length; at++) expect(read(text.slice(0, at), '', text.slice(at))).toEqual(events)
    expect(read(...text)).toEqual(events)
  })

  it('may be long, but not without limit', () => {
    const long = 'x'.repeat(MAX_EVENT - 10)
    expect(read('data: ', long, '\n\n')).toEqual([long])
    expect(() => read('data: ', long, long)).toThrow(`The model sent an event of more than ${MAX_EVENT} characters`)
    expect(() => read(`data: ${long}\n`, 'data: more than ten\n')).toThrow('more than')
    expect(() => read(': ', long, long)).toThrow('more than')
  })
})

// @defends file-import-keeps
import { describe, expect, it } from 'vitest'
import { costRatio } from '#worker/local/testing/growth.ts'
import { type FilePosition, readLists } from './read-lists.ts'

const inPieces = (text: string, size: number) => slices(new TextEncoder().encode(text), size)

async function* slices(bytes: Uint8Array, size: number) {
  for (let from = 0; from < bytes.length; from += size) yield bytes.slice(from, from + size)
}

async function collect<T>(each: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const one of each) all.push(one)
  return all
}

async function read(
  text: string,
  { size = 1 << 20, wanted = (_: string): boolean => true } = {},
): Promise<{ key: string; row: unknown }[]> {
  const rows = await collect(readLists(inPieces(text, size), wanted))
  return rows.map(({ key, row }) => ({ key, row }))
}

const bundle = {
  FileDefaultName: 'Ex"port\\',
  Tool: [
    { id: 'a', func: 'return "}],{[" + \'\\\\"\'' },
    { id: 'ü🧵', deep: [[{}], [], { a: [1, -2.5e3, null, true] }] },
  ],
  empty: [],
  object: { rows: [1] },
  ChatMessage: ['text', 1, null, false, [], {}],
}
const rowsOf = ({ Tool, ChatMessage }: typeof bundle) => [
  ...Tool.map((row) => ({ key: 'Tool', row })),
  ...ChatMessage.map((row) => ({ key: 'ChatMessage', row })),
]

describe('the lists of a file', () => {
  it.each([1, 2, 3, 7, 1000])('are read in pieces of %i bytes', async (size) => {
    expect(await read(JSON.stringify(bundle), { size })).toEqual(rowsOf(bundle))
    expect(await read(JSON.stringify(bundle, null, 2), { size })).toEqual(rowsOf(bundle))
  })

  it.each([JSON.stringify(bundle), `\uFEFF ${JSON.stringify(bundle, null, 2)}`])(
    'go on at each row: %#',
    async (text) => {
      const bytes = new TextEncoder().encode(text)
      const all = await collect(readLists(inPieces(text, 7), () => true))
      for (const [index, { at, next }] of all.entries()) {
        const rest = (place: FilePosition) =>
          collect(readLists(slices(bytes.slice(place.offset), 3), () => true, place))
        expect(await rest(at)).toEqual(all.slice(index))
        expect(await rest(next)).toEqual(all.slice(index + 1))
      }
    },
  )

  it('come with the length of each row', async () => {
    const text = '{"Tool":[ {"id": "ü🧵"} , 12]}'
    const lengths: number[] = []
    for await (const { length } of readLists(inPieces(text, 5), () => true)) lengths.push(length)
    expect(lengths).toEqual(['{"id": "ü🧵"}'.length, 2])
  })

  it('are skipped unless they are wanted', async () => {
    const rows = await read(JSON.stringify(bundle), { wanted: (key) => key === 'Tool' })
    expect(rows.map(({ key }) => key)).toEqual(['Tool', 'Tool'])
  })

  it.each([
    ...[
      '',
      ' ',
      '[]',
      '{',
      '{"a"',
      '{"a":',
      '{"a":[',
      '{"a":[1',
      '{"a":[1}',
      '{"a":[1,]}',
      '{"a":[,1]}',
      '{"a":[1 2]}',
    ],
    ...[
      '{"a":[{"b":1]}',
      '{"a":[1],}',
      '{"a":[1]} x',
      '{"a":[1]}{}',
      '{a:[1]}',
      '{"a":["\n"]}',
      '{"a":[01]}',
      '{1:[2]}',
    ],
  ])('are refused in %j', async (text) => {
    await expect(read(text)).rejects.toThrow('Invalid Imported File')
  })

  it('are refused in bytes that are no text', async () => {
    const bytes = (async function* () {
      yield new Uint8Array([...new TextEncoder().encode('{"Tool":["'), 0xff, ...new TextEncoder().encode('"]}')])
    })()
    await expect(readLists(bytes, () => true).next()).rejects.toThrow('Invalid Imported File')
  })

  it('name a row that is nested too deeply or holds NUL', async () => {
    await expect(read(`{"Tool":[{},${'['.repeat(2000)}${']'.repeat(2000)}]}`)).rejects.toThrow('Tool.1: This is nested')
    await expect(read('{"Tool":[{"name":"a\\u0000"}]}')).rejects.toThrow('Tool.0.name: This contains a NUL')
  })

  it('may not hold a row of more than 16 MB', async () => {
    await expect(read(`{"Tool":["${'x'.repeat(17 << 20)}"]}`)).rejects.toThrow('larger than 16 MB')
  })

  it('are 10,000 at most, empty ones included', async () => {
    const lists = (count: number) => `{${Array(count).fill('"a":[],"b":1').join()}}`
    expect(await read(lists(5000))).toEqual([])
    await expect(read(lists(5001))).rejects.toThrow('more than 10,000 names of lists and values')
  })

  it.each(['[]', '1'])('have names of 1,000 characters at most, before %s', async (value) => {
    const named = (chars: number) => `{"${'Ü'.repeat(chars)}":${value}}`
    expect(await read(named(1000))).toEqual([])
    const problem = `The name “${'Ü'.repeat(40)}…” in this file has more than 1,000 characters`
    await expect(read(named(1001))).rejects.toThrow(problem)
  })

  it('are not scanned again when a long row goes on in another piece', async () => {
    const text = `{"Tool":["${'\\"'.repeat(2 << 20)}"]}`
    const inPiecesOf = (size: number) => () => read(text, { size, wanted: () => false })
    expect(await costRatio(inPiecesOf(text.length), inPiecesOf(1 << 16), 8)).toBeLessThan(8)
  })

  it.each([
    ['quotes', (n: number) => `"${'\\"'.repeat(n)}"`],
    ['backslashes', (n: number) => `"${'\\\\'.repeat(n)}"`],
    ['brackets', (n: number) => `[${'[],'.repeat(n)}[]]`],
    ['spaces', (n: number) => `1${' '.repeat(n)}`],
  ])('take time in proportion to their %s', async (_, rowOf) => {
    const readRow = (n: number) => {
      const text = `{"Tool":[${rowOf(n)}]}`
      return () => read(text, { size: 1 << 20, wanted: () => false })
    }
    expect(await costRatio(readRow(100_000), readRow(800_000), 32)).toBeLessThan(32)
  })
})

import { describe, expect, it } from 'vitest'
import { MAX_SOURCE_BYTES, MAX_SOURCES } from '#contract/flow/sources.ts'
import { openFiles, readText } from './files.ts'

const file = (name: string, size = 0) => ({ name, bytes: new Uint8Array(size) })

describe('openFiles', () => {
  it.each([
    [['a.yaml', 'b/c.yaml'], ['a.yaml', 'b/c.yaml'], undefined],
    [['shop/a.yaml', 'shop/b/c.yaml'], ['a.yaml', 'b/c.yaml'], 'shop'],
    [['shop/a.yaml'], ['a.yaml'], 'shop'],
    [['shop/a.yaml', 'shopping/a.yaml'], ['shop/a.yaml', 'shopping/a.yaml'], undefined],
    [['a/b/c', 'a/b/d'], ['b/c', 'b/d'], 'a'],
  ])('finds the names in the folder of the design: %j', (given, names, folder) => {
    const opened = openFiles(given.map((name) => file(name)))
    expect([[...opened.files.keys()], opened.folder]).toEqual([names, folder])
  })

  it.each([
    [[], 'There is no file.'],
    [[file('../a.yaml')], '../a.yaml: Its name must be a relative path inside the design.'],
    [[file('/a.yaml'), file('a\\b.yaml')], '/a.yaml: Its name must be a relative path inside the design. a\\b.yaml: '],
    [[file('a.yaml'), file('a.yaml')], 'a.yaml: There are two files of this name.'],
    [Array.from({ length: MAX_SOURCES + 1 }, (_, at) => file(`${at}.yaml`)), 'A design may have at most 100 files.'],
    [[file('a.yaml', MAX_SOURCE_BYTES), file('b.yaml', 1)], 'The files of a design may have at most 4 MB in total.'],
  ])('refuses files that no design may have', (files, message) => {
    expect(() => openFiles(files)).toThrow(`Invalid Imported File: ${message}`)
  })
})

describe('readText', () => {
  it('keeps the byte order mark, so that places stay', () => {
    expect(readText('a', { name: 'a', bytes: new TextEncoder().encode('\ufeffa') })).toBe('\ufeffa')
  })

  it('names the line that is not UTF-8', () => {
    const bytes = new Uint8Array([0x61, 0x0a, 0xff])
    expect(() => readText('a.yaml', { name: 'x/a.yaml', bytes })).toThrow('a.yaml, line 2: It is not text in UTF-8.')
  })
})

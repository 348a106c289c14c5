import { describe, expect, it } from 'vitest'
import { readPlainScalar } from './python-scalars.ts'

/** As PyYAML 6.0.4 reads them. */
const READ: [string, ReturnType<typeof readPlainScalar>['kind'], unknown][] = [
  ['yes', 'flag', true],
  ['Off', 'flag', false],
  ['TRUE', 'flag', true],
  ['y', 'text', 'y'],
  ['N', 'text', 'N'],
  ['yEs', 'text', 'yEs'],
  ['', 'null', null],
  ['~', 'null', null],
  ['Null', 'null', null],
  ['nULL', 'text', 'nULL'],
  ['012', 'whole', 10],
  ['08', 'text', '08'],
  ['0o7', 'text', '0o7'],
  ['0x1F', 'whole', 31],
  ['-0b11', 'whole', -3],
  ['1_000', 'whole', 1000],
  ['0_', 'whole', 0],
  ['-0', 'whole', 0],
  ['+1', 'whole', 1],
  ['12:30', 'whole', 750],
  ['-1:30', 'whole', -90],
  ['190:20:30', 'whole', 685_230],
  ['1:60', 'text', '1:60'],
  ['12:30.5', 'number', 750.5],
  ['1e3', 'text', '1e3'],
  ['1.5e3', 'text', '1.5e3'],
  ['1.5e+3', 'number', 1500],
  ['.5', 'number', 0.5],
  ['1.', 'number', 1],
  ['-.inf', 'number', Number.NEGATIVE_INFINITY],
  ['.NaN', 'number', Number.NaN],
  ['+.nan', 'text', '+.nan'],
  ['2026-01-01', 'date', '2026-01-01'],
  ['2024-02-29', 'date', '2024-02-29'],
  ['2026-1-1', 'text', '2026-1-1'],
  ['2026-1-1 10:00:00', 'date', '2026-1-1 10:00:00'],
  ['2001-12-14t21:59:43.10-05:00', 'date', '2001-12-14t21:59:43.10-05:00'],
  ['2026-01-01x', 'text', '2026-01-01x'],
]

describe('readPlainScalar', () => {
  it.each(READ)('reads %j as a %s: %j', (written, kind, value) => {
    expect(readPlainScalar(written)).toEqual({ kind, value })
  })

  it.each([
    ['2026-13-01', 'there is no such date'],
    ['2026-02-29', 'there is no such date'],
    ['1900-02-29', 'there is no such date'],
    ['2026-01-01 24:00:00', 'there is no such date'],
    ['0b_', 'cannot read the number'],
    ['0x_', 'cannot read the number'],
    ['=', 'put it in quotes'],
    ['<<', 'put it in quotes'],
  ])('refuses %j: %s', (written, reason) => {
    expect(() => readPlainScalar(written)).toThrow(reason)
  })
})

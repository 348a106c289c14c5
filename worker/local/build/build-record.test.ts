import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { assertServable, readBuildRecord, removeBuildRecord, writeBuildRecord } from './build-record.ts'

let dist: string
beforeEach(() => {
  dist = mkdtempSync(join(tmpdir(), 'heddle-record-'))
})
afterEach(() => rmSync(dist, { recursive: true }))

const change = (field: string, value: string) => {
  const file = join(dist, 'build.json')
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), [field]: value }))
}

it('a build of this version can be served without the packages that built it', () => {
  writeBuildRecord(dist, 'abc')
  expect(() => assertServable(dist)).not.toThrow()
  expect(readBuildRecord(dist)?.fingerprint).toBe('abc')
})

it('a folder without a complete build cannot be served, and the error says how to get one', () => {
  expect(() => assertServable(dist)).toThrow(/^There is no build in .*Run npm ci without --omit=dev/)
  writeBuildRecord(dist, 'abc')
  removeBuildRecord(dist)
  expect(() => assertServable(dist)).toThrow(/^There is no build in /)
})

it.each([
  ['version', '0.0.9'],
  ['migration', '0001_of_another'],
])('a build of the %s %s cannot be served, and the error names it', (field, value) => {
  writeBuildRecord(dist, 'abc')
  change(field, value)
  expect(() => assertServable(dist)).toThrow(value)
})

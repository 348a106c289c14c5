import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { VERSION } from '#contract/version.ts'
import { root } from './paths.ts'

it('the version is that of the package', () => {
  expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version).toBe(VERSION)
})

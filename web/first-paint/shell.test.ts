import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { shellOf } from './shell.ts'

describe('the shell of a page', () => {
  it.each([
    ['/app', false, 'side'],
    ['/app', true, 'top'],
    ['/executions', false, 'side'],
    ['/executions/7', false, 'side'],
    ['/v2/agentcanvas', true, 'canvas'],
    ['/v2/agentcanvas/7', false, 'canvas'],
    ['/v2/agentcanvas/7/messages', false, 'side'],
    ['/canvas/7/messages', true, 'top'],
    ['/execution/7', false, 'none'],
    ['/signin', false, 'none'],
    ['/docs/api', false, 'none'],
  ] as const)('%s with the menu on top: %s, gets %s', (path, isHorizontal, shell) => {
    expect(shellOf(path, isHorizontal)).toBe(shell)
  })
})

const SHELLS = { _auth: 'none', _public: 'none', _canvas: 'canvas', _main: 'side' } as const

it.each(Object.keys(SHELLS) as (keyof typeof SHELLS)[])('fits the layout of each page of %s', (layout) => {
  const folder = join(import.meta.dirname, '../routes', layout)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.tsx'))
  const pages = files.map((file) => `/${file.replace(/([./]index)?\.tsx$/, '').replaceAll('.', '/')}`)
  expect(pages.length).toBeGreaterThan(0)
  expect(pages.filter((path) => shellOf(path, false) !== SHELLS[layout])).toEqual([])
})

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
    ['/execution/7', false, 'none'],
    ['/signin', false, 'none'],
    ['/docs/api', false, 'none'],
  ] as const)('%s with the menu on top: %s, gets %s', (path, isHorizontal, shell) => {
    expect(shellOf(path, isHorizontal)).toBe(shell)
  })
})

import { describe, expect, it } from 'vitest'
import { completeOptions } from './options.ts'

const complete = (given: Record<string, unknown>) => completeOptions(given, 'https://heddle.example')

describe('the options of the widget', () => {
  it('need a flow only', () => {
    expect(complete({ flow: ' f1 ' })).toEqual({
      flow: 'f1',
      api: 'https://heddle.example',
      mode: 'bubble',
      theme: 'auto',
      position: 'right',
    })
    expect(() => complete({})).toThrow('data-flow is missing')
  })

  it('name what a page’s author wrote wrong', () => {
    expect(() => complete({ flow: 'f', mode: 'window' })).toThrow(
      'data-mode is “window”, but must be one of bubble, inline',
    )
    expect(() => complete({ flow: 'f', theme: 'black' })).toThrow('must be one of auto, light, dark')
    expect(() => complete({ flow: 'f', position: 'top' })).toThrow('must be one of right, left')
  })

  it('accept web addresses of an API only', () => {
    expect(complete({ flow: 'f', api: 'https://api.example/base/' }).api).toBe('https://api.example/base')
    for (const api of ['javascript:alert(1)', 'api.example', 'file:///etc']) {
      expect(() => complete({ flow: 'f', api })).toThrow('must be an address')
    }
  })
})

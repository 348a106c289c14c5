import { describe, expect, it } from 'vitest'
import { contrast, toLook } from './colors.ts'

describe('lookOf', () => {
  it('keeps a text colour that can be read on its background', () => {
    expect(toLook({ backgroundColor: '#3b2fb0', textColor: '#ffe' })).toEqual({
      background: '#3b2fb0',
      color: '#ffe',
      mode: 'dark',
    })
  })

  it('takes black or white where the text could not be read, or none was chosen', () => {
    expect(toLook({ backgroundColor: '#ffffff', textColor: '#eeeeee' })).toMatchObject({
      color: '#000000',
      mode: 'light',
    })
    expect(toLook({ backgroundColor: '#111' })).toMatchObject({ background: '#111111', color: '#ffffff', mode: 'dark' })
    expect(toLook({ backgroundColor: '#22222280', textColor: '#222' })).toMatchObject({ color: '#ffffff' })
  })

  it('shows pictures of this page only, where they are switched on', () => {
    const avatarSrc = 'data:image/png;base64,AAAA'
    expect(toLook({ showAvatar: true, avatarSrc })).toEqual({ avatar: avatarSrc })
    expect(toLook({ showAvatar: false, avatarSrc })).toEqual({})
    expect(toLook({ showAvatar: true, avatarSrc: 'https://a.example/a.png' })).toEqual({})
    expect(toLook({ textColor: '#000' })).toEqual({})
  })
})

it('the contrast of black and white is the largest', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrast('#777777', '#777777')).toBe(1)
})

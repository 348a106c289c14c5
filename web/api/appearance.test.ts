import { afterEach, expect, it, vi } from 'vitest'
import { system } from '../ui/theme/theme.ts'
import { appearance, applyAppearance, setAppearance } from './appearance.ts'

/** Fakes the document and the storage. */
function setUp() {
  const properties = new Map<string, string>()
  const stored = new Map<string, string>()
  const style = { colorScheme: '', setProperty: (name: string, value: string) => properties.set(name, value) }
  vi.stubGlobal('document', { documentElement: { classList: { toggle: () => true }, style } })
  vi.stubGlobal('localStorage', { setItem: (key: string, value: string) => stored.set(key, value) })
  return { properties, stored }
}

const first = { ...appearance }
afterEach(() => {
  Object.assign(appearance, first)
  vi.unstubAllGlobals()
})

it('defaults to Inter with fallbacks and a radius of 16 pixels', () => {
  const { properties } = setUp()
  applyAppearance()
  expect(appearance).toMatchObject({
    fontFamily: expect.stringMatching(/^'Inter Variable', Inter, /),
    borderRadius: 16,
  })
  expect(Object.fromEntries(properties)).toEqual({ '--ui-font': appearance.fontFamily, '--ui-radius': '16px' })
})

it('passes font and radius to the theme through the document', () => {
  const { properties } = setUp()
  setAppearance({ fontFamily: 'Georgia, serif', borderRadius: 4 })
  const shown = (token: string) => properties.get(/^var\((.+)\)$/.exec(system.token(token))?.[1] ?? '')
  expect(shown('fonts.body')).toBe('Georgia, serif')
  expect(shown('fonts.heading')).toBe('Georgia, serif')
  expect(shown('radii.2xl')).toBe('4px')
  expect(system.tokens.getByName('radii.l3')?.originalValue).toBe('{radii.2xl}')
})

it('stores dark mode and layout but not font and radius', () => {
  const { stored } = setUp()
  setAppearance({ isDarkMode: true, isHorizontal: true, fontFamily: 'Georgia', borderRadius: 4 })
  expect(Object.fromEntries(stored)).toEqual({ isDarkMode: 'true', isHorizontal: 'true' })
})

import { afterEach, expect, it, vi } from 'vitest'
import { system } from '../ui/theme.ts'
import { appearance, applyAppearance, setAppearance } from './appearance.ts'

/** A document and a storage that hold what is put in them. */
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

it('the font is Inter with fallbacks and the radius 16 pixels until they are changed', () => {
  const { properties } = setUp()
  applyAppearance()
  expect(appearance).toMatchObject({
    fontFamily: expect.stringMatching(/^'Inter Variable', Inter, /),
    borderRadius: 16,
  })
  expect(Object.fromEntries(properties)).toEqual({ '--ui-font': appearance.fontFamily, '--ui-radius': '16px' })
})

it('the theme takes its font and its largest corner from what is put on the document', () => {
  const { properties } = setUp()
  setAppearance({ fontFamily: 'Georgia, serif', borderRadius: 4 })
  const shown = (token: string) => properties.get(/^var\((.+)\)$/.exec(system.token(token))?.[1] ?? '')
  expect(shown('fonts.body')).toBe('Georgia, serif')
  expect(shown('fonts.heading')).toBe('Georgia, serif')
  expect(shown('radii.2xl')).toBe('4px')
  expect(system.tokens.getByName('radii.l3')?.originalValue).toBe('{radii.2xl}')
})

it('dark mode and layout are stored, font and radius are not', () => {
  const { stored } = setUp()
  setAppearance({ isDarkMode: true, isHorizontal: true, fontFamily: 'Georgia', borderRadius: 4 })
  expect(Object.fromEntries(stored)).toEqual({ isDarkMode: 'true', isHorizontal: 'true' })
})

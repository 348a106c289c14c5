import { describe, expect, it } from 'vitest'
import { frameworks, lines, marks, type Pair, palettes, surfaces, texts } from './tokens.ts'

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((channel) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Returns the lower WCAG contrast ratio of light and dark mode. */
function contrast(a: Pair, b: Pair): number {
  return Math.min(
    ...([0, 1] as const).map((mode) => {
      const [dark = 0, light = 0] = [luminance(a[mode]), luminance(b[mode])].sort((x, y) => x - y)
      return (light + 0.05) / (dark + 0.05)
    }),
  )
}

const grounds = ['bg', 'bg.subtle', 'bg.muted', 'bg.panel'] as const

describe('colors reach WCAG AA in both modes', () => {
  const readable = ['fg', 'fg.muted', 'fg.subtle', 'fg.error', 'fg.warning', 'fg.success', 'fg.info'] as const
  it.each(readable.flatMap((text) => grounds.map((ground) => [text, ground] as const)))('%s on %s', (text, ground) => {
    expect(contrast(texts[text], surfaces[ground])).toBeGreaterThanOrEqual(4.5)
  })

  it.each(Object.entries(palettes))('palette %s', (_name, palette) => {
    expect(contrast(palette.contrast, palette.solid)).toBeGreaterThanOrEqual(5)
    for (const ground of [palette.subtle, palette.muted, surfaces.bg, surfaces['bg.panel'], surfaces['bg.muted']]) {
      expect(contrast(palette.fg, ground)).toBeGreaterThanOrEqual(4.5)
    }
    expect(contrast(texts['fg.muted'], palette.subtle)).toBeGreaterThanOrEqual(4.5)
    for (const ground of grounds) expect(contrast(palette.focusRing, surfaces[ground])).toBeGreaterThanOrEqual(3)
  })

  it.each(grounds.slice(0, 2).concat('bg.panel'))('edges of controls and small marks on %s', (ground) => {
    expect(contrast(lines['border.control'], surfaces[ground])).toBeGreaterThanOrEqual(3)
    for (const mark of [...Object.values(frameworks), ...Object.values(marks)])
      expect(contrast(mark, surfaces[ground])).toBeGreaterThanOrEqual(3)
  })

  it('inverted text on inverted ground', () => {
    expect(contrast(texts['fg.inverted'], surfaces['bg.inverted'])).toBeGreaterThanOrEqual(4.5)
  })
})

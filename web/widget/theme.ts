/** The colours of the widget: the product's own in light and dark, under those that a flow's owner chose. Pure. */
import { lines, type Pair, palettes, surfaces, texts } from '../ui/theme/tokens.ts'
import type { Look, LookColor } from './settings.ts'

/** CSS variables and their colours in light and dark. */
const COLORS: Record<string, Pair> = {
  background: surfaces['bg.panel'],
  text: texts.fg,
  muted: texts['fg.muted'],
  line: lines.border,
  control: lines['border.control'],
  error: texts['fg.error'],
  soft: surfaces['bg.muted'],
  title: palettes.accent.solid,
  'title-text': palettes.accent.contrast,
  bot: surfaces['bg.muted'],
  'bot-text': texts.fg,
  user: palettes.accent.solid,
  'user-text': palettes.accent.contrast,
  input: surfaces['bg.panel'],
  'input-text': texts.fg,
  accent: palettes.accent.solid,
  'accent-text': palettes.accent.contrast,
  link: palettes.accent.fg,
  ring: palettes.accent.focusRing,
  button: palettes.accent.solid,
  icon: palettes.accent.contrast,
  'footer-text': texts['fg.muted'],
}

/** The declarations of one mode: 0 is light, 1 is dark. */
export const declarations = (mode: 0 | 1): string =>
  Object.entries(COLORS)
    .map(([name, pair]) => `--${name}:${pair[mode]};`)
    .join('')

/** Backgrounds with the text that stands on them. */
const PAIRS: [background: LookColor, text: LookColor, names: [string, string][]][] = [
  [
    'background',
    'botText',
    [
      ['background', 'text'],
      ['background', 'muted'],
      ['background', 'footer-text'],
      ['background', 'link'],
    ],
  ],
  ['title', 'titleText', [['title', 'title-text']]],
  ['bot', 'botText', [['bot', 'bot-text']]],
  ['user', 'userText', [['user', 'user-text']]],
  ['input', 'inputText', [['input', 'input-text']]],
  ['accent', 'icon', [['accent', 'accent-text']]],
  ['button', 'icon', [['button', 'icon']]],
]

/** Returns the variables that an owner's look sets. A background without a text colour gets one that can be read on it. */
export function buildVariables(look: Look): Record<string, string> {
  const own: Record<string, string> = {}
  for (const [background, text, names] of PAIRS) {
    const color = look[background]
    for (const [behind, front] of names) {
      if (color) own[`--${behind}`] = color
      const given = background === 'background' || background === 'accent' ? undefined : look[text]
      const written = given ?? (color && readableOn(color))
      if (written) own[`--${front}`] = written
    }
  }
  if (look.footerText) own['--footer-text'] = look.footerText
  for (const [name, size] of [
    ['font', look.fontSize],
    ['prompt', look.promptSize],
    ['button-size', look.buttonSize],
  ] as const) {
    if (size) own[`--${name}`] = `${size}px`
  }
  return own
}

/** Dark text on light colours, light text on dark ones. */
function readableOn(color: string): string {
  const [light, dark] = [texts['fg.inverted'][0], texts.fg[0]]
  const digits = color.slice(1)
  const parts = digits.length < 6 ? [...digits].map((digit) => digit + digit) : (digits.match(/../g) ?? [])
  const [red = 0, green = 0, blue = 0] = parts.map((part) => (Number.parseInt(part, 16) / 255) ** 2.2)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? dark : light
}

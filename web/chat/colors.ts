/** Colours that a flow's owner chose, made readable. Pure. */

import { absolutes } from '../ui/theme/tokens.ts'
import type { BubbleLook } from './chat-look.ts'

/** Minimum contrast of text (WCAG 2.2 AA). */
const READABLE = 4.5

interface ColorSettings {
  backgroundColor?: string | undefined
  textColor?: string | undefined
  showAvatar?: boolean
  avatarSrc?: string | undefined
}

/** Keeps the text colour only where it can be read; otherwise the text is black or white. */
export function toLook({ backgroundColor, textColor, showAvatar, avatarSrc }: ColorSettings): BubbleLook {
  // Pages of this server show pictures as data only.
  const avatar = showAvatar && avatarSrc?.startsWith('data:') ? { avatar: avatarSrc } : {}
  const background = backgroundColor && opaque(backgroundColor)
  if (!background) return avatar
  const mode = contrast(background, absolutes.white) >= contrast(background, absolutes.black) ? 'dark' : 'light'
  const isReadable = textColor !== undefined && contrast(background, opaque(textColor)) >= READABLE
  const color = isReadable ? textColor : mode === 'dark' ? absolutes.white : absolutes.black
  return { ...avatar, background, color, mode }
}

/** Returns the contrast ratio of two colours like `#rrggbb`, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** Without its transparency, so that its contrast is known. */
function opaque(color: string): string {
  const digits = color.slice(1)
  const long = digits.length <= 4 ? [...digits].map((digit) => digit + digit).join('') : digits
  return `#${long.slice(0, 6)}`
}

function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => channel(Number.parseInt(color.slice(at, at + 2), 16) / 255)) as [
    number,
    number,
    number,
  ]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const channel = (value: number) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)

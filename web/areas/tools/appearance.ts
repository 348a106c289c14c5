/** Colours and pictures as tool files hold them: anything may stand there. */
import { DEFAULT_TOOL_COLOR } from '#contract/tools/tool-file.ts'

const HEX = /^#[0-9a-f]{3,8}$/i
/** Flowise writes gradients of rgb colours. */
const GRADIENT = /^linear-gradient\([rgba0-9,.%()\s]+\)$/

/** Returns the color for a style, or the default for what is not plainly a color. */
export function shownColor(color: string): string {
  return HEX.test(color) || GRADIENT.test(color) ? color : DEFAULT_TOOL_COLOR
}

/** Returns a color that a color input can show. */
export function pickedColor(color: string): string {
  return /^#[0-9a-f]{6}$/i.test(color) ? color : DEFAULT_TOOL_COLOR
}

/** Returns the address of a picture that comes with the tool. Pages load none from elsewhere. */
export function shownIcon(iconSrc: string | null): string | undefined {
  return iconSrc?.startsWith('data:image/') ? iconSrc : undefined
}

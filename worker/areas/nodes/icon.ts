/** Draws a component's icon: a shape for its category and the initials of its label. */

import { MODEL_CATEGORY } from '#contract/flow/params/categories.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'

const COLORS: Record<string, string> = { [MODEL_CATEGORY]: '#5b5bd6', Tools: '#a16207', 'Tools (MCP)': '#0f766e' }
const OTHER = '#475569'

/** Returns an SVG of 64 by 64. */
export function drawIcon({
  label,
  category,
  color,
}: Pick<ComponentDefinition, 'label' | 'category' | 'color'>): string {
  const shape =
    category === MODEL_CATEGORY ? '<circle cx="32" cy="32" r="30"' : '<rect x="2" y="2" width="60" height="60" rx="14"'
  const fill = /^#[0-9a-f]{6}$/i.test(color ?? '') ? color : (COLORS[category] ?? OTHER)
  const ink = color ? '#111827' : '#ffffff'
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64">',
    `${shape} fill="${fill}"/>`,
    `<text x="32" y="41" text-anchor="middle" font-family="system-ui,sans-serif" font-size="26" font-weight="600" fill="${ink}">`,
    `${initials(label)}</text></svg>`,
  ].join('')
}

/** Returns letters and digits only, so that a label cannot become markup. */
function initials(label: string): string {
  const words = label.match(/[\p{L}\p{N}]+/gu) ?? []
  const letters = words.length > 1 ? words.map((word) => word[0]) : [...(words[0] ?? '?')]
  return letters.slice(0, 2).join('').toUpperCase()
}

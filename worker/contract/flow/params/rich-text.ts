/** Converts HTML that the rich editor of older files saved (compat 4.2) to plain text. */

const BLOCK = /^\s*<(p|div|h[1-6]|ul|ol|blockquote|pre|table)[\s>]/i
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

/** Returns true for a value that begins with a block tag, as the rich editor writes it. */
export const isRichText = (value: string): boolean => BLOCK.test(value)

/** `<p>Hi <span class="variable" …>{{ question }}</span></p>` → `Hi {{question}}`. Other text is unchanged. */
export function plainText(value: string): string {
  if (!isRichText(value)) return value
  return value
    .replace(/<span\b([^<>]*)>\s*\{\{([^{}]*)\}\}\s*<\/span>/g, (whole, attributes: string, name: string) =>
      attributes.includes('data-type="mention"') ? `{{${name.trim()}}}` : whole,
    )
    .replace(
      /(?:<\/(?:p|div|h[1-6]|ul|ol|li|blockquote|pre|tr)>\s*)+(<(?:p|div|h[1-6]|ul|ol|li|blockquote|pre|table|tr)\b)?/gi,
      (closed, opened?: string) => (opened ? `\n${opened}` : closed),
    )
    .replace(/<br\s*\/?>/gi, '\n')
    .replace(/<li\b[^<>]*>/gi, '- ')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name] as string)
    .trim()
}

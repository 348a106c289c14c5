/** Prompt templates: names in single braces. `{{` and `}}` are braces. Linear in the length of the text. */

const VARIABLE = /\{\{|\}\}|\{([\p{L}_$][\p{L}\p{N}_$.-]{0,99})\}/gu

/** Returns the names in braces, each once, in their order. */
export function variablesIn(template: string): string[] {
  return [...new Set(Array.from(template.matchAll(VARIABLE), ([, name]) => name).filter((name) => name !== undefined))]
}

/** Returns the text with values. Names without a value stay as they are. Values are never templates. */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(VARIABLE, (whole, name: string | undefined) => {
    if (name === undefined) return whole.charAt(0)
    return Object.hasOwn(values, name) ? (values[name] as string) : whole
  })
}

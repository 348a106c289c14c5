/** JSON Schemas of others, made safe to check arguments against. */

/** Drops regular expressions: they would run unguarded over what a model says. */
export function withoutPatterns(schema: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(schema), (key, value) =>
    (key === 'pattern' && typeof value === 'string') || key === 'patternProperties' ? undefined : value,
  ) as Record<string, unknown>
}

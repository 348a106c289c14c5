/** Returns true when a statement, alone or in a batch, failed because it would write a duplicate. */
export function isUniqueViolation(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return /^SQLITE_CONSTRAINT(_UNIQUE|_PRIMARYKEY)?$/.test(String((cause as { code?: unknown }).code))
}

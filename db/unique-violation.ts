/** Whether a statement failed, alone or in a batch, because what it writes must be unique and is there already. */
export function isUniqueViolation(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return /^SQLITE_CONSTRAINT(_UNIQUE|_PRIMARYKEY)?$/.test(String((cause as { code?: unknown }).code))
}

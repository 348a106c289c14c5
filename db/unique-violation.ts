/** Whether a statement failed, alone or in a batch, because what it writes must be unique and is there already. */
export function isUniqueViolation(thrown: unknown): boolean {
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown
  return /^SQLITE_CONSTRAINT(_UNIQUE|_PRIMARYKEY)?$/.test(String((cause as { code?: unknown }).code))
}

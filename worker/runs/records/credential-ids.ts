/** Returns the value as JSON, without the credential ids in nested component configs. */
export function withoutCredentialIds(value: unknown): string {
  return JSON.stringify(value, (key, inner) => (key === 'FLOWISE_CREDENTIAL_ID' ? undefined : inner))
}

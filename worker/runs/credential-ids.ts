/** JSON of what a run says of itself, without the ids of credentials that nested component configs hold. */
export function withoutCredentialIds(value: unknown): string {
  return JSON.stringify(value, (key, inner) => (key === 'FLOWISE_CREDENTIAL_ID' ? undefined : inner))
}

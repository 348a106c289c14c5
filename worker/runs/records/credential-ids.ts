import { CREDENTIAL_ID } from '#contract/flow/document/serialize.ts'

/** Returns the value as JSON, without the credential ids in nested component configs. */
export function withoutCredentialIds(value: unknown): string {
  const text = JSON.stringify(value)
  // A call for each key costs more than writing the text twice.
  return text?.includes(CREDENTIAL_ID)
    ? JSON.stringify(value, (key, inner) => (key === CREDENTIAL_ID ? undefined : inner))
    : text
}

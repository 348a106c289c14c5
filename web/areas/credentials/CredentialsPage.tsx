export function CredentialsPage() {
  return <h1>CredentialsPage</h1>
}

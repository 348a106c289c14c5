export function VariablesPage() {
  return <h1>VariablesPage</h1>
}

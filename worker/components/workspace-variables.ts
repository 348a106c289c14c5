/** The variables of one workspace, as components outside a run read them. */
import { readPath } from '#contract/flow/document/path.ts'
import { compileTemplate, type Lookup } from '#contract/flow/references/references.ts'
import type { variables } from '#db/schema/index.ts'
import type { Services } from '../services.ts'
import { openSecretVariables, secretTexts } from './secret-variables.ts'

type Values = Record<string, unknown>
export type VariableRow = typeof variables.$inferSelect

interface WorkspaceVariables {
  /** Their values by name. */
  known: Record<string, string>
  /** Texts that may appear nowhere. */
  secrets: string[]
  /** Returns the values with `{{$vars.name}}` resolved; other references stay as typed. */
  withVariables(values: Values): Values
}

export async function openVariables(
  { cipher }: Pick<Services, 'cipher'>,
  rows: VariableRow[],
  wrappedKey: string,
): Promise<WorkspaceVariables> {
  const secrets = await openSecretVariables(rows, { cipher, wrappedKey })
  const known = Object.fromEntries(rows.map(({ name, value }) => [name, secrets.get(name) ?? value]))
  const lookup: Lookup = ({ root, path }) => (root === '$vars' ? readPath(known, path) : undefined)
  return {
    known,
    secrets: secretTexts(secrets.values()),
    withVariables: (values) => resolveVariables(values, lookup) as Values,
  }
}

/** Recursion is bounded by the depth that request bodies may have. */
function resolveVariables(value: unknown, lookup: Lookup): unknown {
  if (typeof value === 'string') return compileTemplate(value)?.(lookup) ?? value
  if (Array.isArray(value)) return value.map((item) => resolveVariables(item, lookup))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, resolveVariables(child, lookup)]))
}

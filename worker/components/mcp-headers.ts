/** The headers of a workspace's MCP servers, with the variables that they name. */
import { inArray } from 'drizzle-orm'
import { assetsOfCode } from '#contract/flow/assets/assets.ts'
import { compileTemplate } from '#contract/flow/references/references.ts'
import { variables } from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import { type McpServerRow, readMcpHeaders } from '../oauth/mcp/server-tokens.ts'
import type { TokenContext } from '../oauth/token-rows.ts'
import type { Config } from '../services.ts'
import { openSecretVariables } from './secret-variables.ts'

type Headers = Record<string, string>

interface HeaderContext extends TokenContext {
  config: Pick<Config, 'runtimeVariables'>
}

/**
 * Returns the headers that requests to the server carry, and the values among them that may appear nowhere.
 * @throws Error that says what to do when there is no good token, or a variable has no value
 */
export async function openMcpHeaders(
  context: HeaderContext,
  row: McpServerRow,
): Promise<{ headers: Headers; secrets: string[] }> {
  const typed = await readMcpHeaders(context, row)
  const names = variablesIn(typed)
  if (names.length === 0) return { headers: typed, secrets: secretsOf(typed) }
  const values = await readVariables(context, names)
  const headers = Object.fromEntries(
    Object.entries(typed).map(([name, text]) => [name, resolved(text, values, `${row.name}: the header ${name}`)]),
  )
  return { headers, secrets: [...secretsOf(headers), ...values.values()] }
}

/** Returns the names of the variables in the values of headers. */
export const variablesIn = (headers: Headers): string[] =>
  assetsOfCode(Object.values(headers).join('\n')).map(({ asset }) => asset)

/** A token is secret without the word before it too. */
const secretsOf = (headers: Headers) =>
  Object.values(headers).flatMap((value) => [value, ...(/^Bearer (.+)$/i.exec(value)?.slice(1) ?? [])])

async function readVariables({ db, tenant, cipher, wrappedKey, config }: HeaderContext, names: string[]) {
  const rows = (await scope(db, tenant).select(
    variables,
    inArray(variables.name, names),
  )) as (typeof variables.$inferSelect)[]
  const values = await openSecretVariables(rows, { cipher, wrappedKey })
  for (const { name, type, value } of rows) {
    const given = type === 'runtime' ? ownValue(config.runtimeVariables, name) : value
    if (type !== 'secret' && given !== undefined) values.set(name, given)
  }
  return values
}

const ownValue = (values: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

function resolved(text: string, values: ReadonlyMap<string, string>, where: string): string {
  const value = compileTemplate(text)?.(({ root, path }) => {
    if (root !== '$vars') return undefined
    const [name] = path
    const found = values.get(String(name))
    if (found === undefined) throw new Error(`${where} needs the variable “${name}”. Set it under Variables.`)
    return found
  })
  const result = value === undefined ? text : String(value)
  if (/[\r\n\0]/.test(result)) throw new Error(`${where} would contain a line break. Change the variable.`)
  return result
}

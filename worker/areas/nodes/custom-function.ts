/** A function that a person tries out on the canvas: it runs where those of flows run, with values that come along. */
import { errorMessage, HeddleError } from '#contract/errors.ts'
import type { Sandbox } from '../../ports/types.ts'

export interface FunctionCall {
  code: string
  /** What the code reads as `$name`. */
  values: Record<string, unknown>
  /** What it reads as `$vars`. */
  variables: Record<string, string>
  signal: AbortSignal
}

/** Values that the code names and nobody gave are empty texts. Throws `bad_request` with what is wrong in the code. */
export async function tryFunction(
  { code, values, variables, signal }: FunctionCall,
  sandbox: Sandbox,
): Promise<unknown> {
  const named = [...code.matchAll(/\$([A-Za-z_]\w*)/g)].map(([whole]) => [whole, ''])
  const given = Object.entries(values).map(([name, value]) => [`$${name.replace(/^\$/, '')}`, value ?? ''])
  const globals = { ...Object.fromEntries(named), $flow: {}, ...Object.fromEntries(given), $vars: variables }
  try {
    const { value } = await sandbox.run({ code, globals, signal })
    return value ?? null
  } catch (thrown) {
    throw new HeddleError('bad_request', errorMessage(thrown), { field: 'javascriptFunction' })
  }
}

/** Runs a custom function that a person tries out on the canvas, in the same sandbox as in flows. */
import { errorMessage, HeddleError } from '#contract/errors.ts'
import type { Sandbox } from '../../ports/types.ts'

interface FunctionCall {
  code: string
  /** Read by the code as `$name`. */
  values: Record<string, unknown>
  /** Read by the code as `$vars`. */
  variables: Record<string, string>
  signal: AbortSignal
  /** Applied to the code's error. */
  redact(text: string): string
}

/**
 * Values that the code names but the call lacks are empty strings. Throws `bad_request` with the code's error, or
 * `rate_limited`.
 */
export async function tryFunction(
  { code, values, variables, signal, redact }: FunctionCall,
  sandbox: Sandbox,
): Promise<unknown> {
  const named = [...code.matchAll(/\$([A-Za-z_]\w*)/g)].map(([whole]) => [whole, ''])
  const given = Object.entries(values).map(([name, value]) => [`$${name.replace(/^\$/, '')}`, value ?? ''])
  const globals = { ...Object.fromEntries(named), $flow: {}, ...Object.fromEntries(given), $vars: variables }
  try {
    const { value } = await sandbox.run({ code, globals, signal })
    return value ?? null
  } catch (error) {
    if (error instanceof HeddleError) throw error
    throw new HeddleError('bad_request', redact(errorMessage(error)), { field: 'javascriptFunction' })
  }
}

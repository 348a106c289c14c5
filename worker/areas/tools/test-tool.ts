/** Runs a tool that a person is writing, in the same sandbox as in flows. */
import type * as z from 'zod'
import { errorMessage, HeddleError } from '#contract/errors.ts'
import { argumentsSchema, parseParameters } from '#contract/tools/parameters.ts'
import type { ToolTest, testToolSchema } from '#contract/tools/schemas.ts'
import { openWorkspaceComponents } from '../../components/workspace-components.ts'
import { mayUse } from '../../http/permission.ts'
import type { Member } from '../../http/route.ts'
import { checkedArguments } from '../../llm/tool-calls.ts'
import { SandboxError } from '../../ports/sandbox/index.ts'
import type { Services } from '../../services.ts'
import { callFunction } from '../../tools/custom/custom-tool.ts'

/** Values of secret variables stay out of what is told. Throws `rate_limited`. */
export async function testTool(
  services: Services,
  member: Member,
  { schema, func, arguments: given }: z.infer<typeof testToolSchema>,
): Promise<ToolTest> {
  const { sandbox, signal, variables, redact } = await openWorkspaceComponents(services, member, [])
  const mayRead = mayUse({ permission: 'variables:view' }, member, services.config.platformType)
  const globals = { $vars: mayRead ? variables : {}, $flow: {} }
  try {
    const args = checkedArguments(given, { parameters: argumentsSchema(parseParameters(schema)) })
    const { value, logs } = await callFunction({ func, schema }, { args, globals, sandbox, signal })
    return redact({ result: value ?? null, error: null, logs })
  } catch (error) {
    if (error instanceof HeddleError) throw error
    return redact({ result: null, error: errorMessage(error), logs: error instanceof SandboxError ? error.logs : [] })
  }
}

/** For worker tests: no answer is other than the API's description says. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OpenApiDocument } from '#contract/openapi.ts'
import { createResponseJudge } from '../../areas/openapi/testing/answers.ts'
import { distFolder } from '../paths.ts'

/** The description, in the folder of the build that it describes. */
export const API_DESCRIPTION = 'openapi.json'

/** Read once for each process. */
let judge: ReturnType<typeof createResponseJudge> | undefined

/** Sends a request as `fetch` does. Throws an Error that names the call when its description has no such answer. */
export async function judgedFetch(address: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(address, init)
  judge ??= createResponseJudge(
    JSON.parse(readFileSync(join(distFolder(), API_DESCRIPTION), 'utf8')) as OpenApiDocument,
  )
  const problem = judge(init.method ?? 'GET', new URL(address).pathname, response)
  if (problem) throw new Error(problem)
  return response
}

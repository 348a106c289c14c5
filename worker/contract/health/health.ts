/** Answers for load balancers and monitors: whether the server answers, and whether it can work. */
import * as z from 'zod'

export const healthSchema = z.object({ status: z.literal('ok') })

const checkSchema = z
  .enum(['ok', 'failed'])
  .describe('`ok`, or `failed`, with the reason and what to do among the problems')

export const readinessSchema = z.object({
  ready: z.boolean(),
  checks: z.object({ database: checkSchema, migrations: checkSchema, files: checkSchema }),
  problems: z.array(z.string()).describe('One sentence each'),
})

export type Readiness = z.infer<typeof readinessSchema>

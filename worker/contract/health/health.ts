/** Answers for load balancers and monitors: whether the server answers, and whether it can work. */
import * as z from 'zod'
import { dateSchema } from '../schemas/responses.ts'

const backupsSchema = z.object({
  lastDate: dateSchema
    .nullable()
    .optional()
    .describe('When the last backup that was read back was made; where METRICS_TOKEN is set, only for its bearer'),
  missed: z.boolean().describe('The schedule was due twice since, or since the start where there is none'),
})

export type ScheduledBackups = Required<z.infer<typeof backupsSchema>>

export const healthSchema = z.object({
  status: z.literal('ok'),
  backups: backupsSchema.optional().describe('Only where `npm start` makes backups by schedule'),
})

const checkSchema = z
  .enum(['ok', 'failed'])
  .describe('`ok`, or `failed`, with the reason and what to do among the problems')

export const readinessSchema = z.object({
  ready: z.boolean(),
  checks: z.object({ database: checkSchema, migrations: checkSchema, files: checkSchema }),
  problems: z.array(z.string()).describe('One sentence each'),
})

export type Readiness = z.infer<typeof readinessSchema>

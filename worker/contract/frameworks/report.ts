/** What reading a design of another framework found: file by file and key by key, and what a person has to do. */
import * as z from 'zod'
import { importVerdictSchema } from '../schemas/flow-report.ts'

/**
 * - `credential`: a secret was in the file; it has to become a credential
 * - `model`: a model has to be chosen for a name
 * - `standIn`: something needs Python, and has to be replaced to run here
 * - `setting`: something has to be changed in the design
 */
const FRAMEWORK_TASKS = ['credential', 'model', 'standIn', 'setting'] as const

/** Lines and columns count from 1; a column counts UTF-16 units. */
const position = { line: z.int().positive(), column: z.int().positive() }

/**
 * - `exact`: it is read as it is written
 * - `changed`: it is read, but not as it is written, or it has no effect
 * - `unsupported`: it is kept and exported unchanged, and does nothing here
 */
const keyFindingSchema = z.object({
  key: z.string().describe('Where the value is in its file: `tools[0].args.agent`'),
  ...position,
  verdict: importVerdictSchema,
  reasons: z.array(z.string()).describe('Sentences for a person; empty for `exact`'),
})

const fileFindingSchema = z.object({
  file: z.string(),
  verdict: importVerdictSchema.describe('The worst of its keys, or that of the file as a whole'),
  reasons: z.array(z.string()).describe('Sentences on the file as a whole'),
  keys: z.array(keyFindingSchema),
})

const frameworkTaskSchema = z.object({
  kind: z.enum(FRAMEWORK_TASKS),
  file: z.string(),
  ...position,
  reason: z.string(),
})

export const frameworkReportSchema = z.object({
  files: z.array(fileFindingSchema),
  tasks: z.array(frameworkTaskSchema),
})

export type KeyFinding = z.infer<typeof keyFindingSchema>
export type FileFinding = z.infer<typeof fileFindingSchema>
export type FrameworkTask = z.infer<typeof frameworkTaskSchema>
export type FrameworkReport = z.infer<typeof frameworkReportSchema>

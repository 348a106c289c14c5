/** Who a visitor of a public chat said to be, in Flowise's public shape. */
import * as z from 'zod'
import { dateSchema } from '../schemas/responses.ts'

const MAX_LEAD_CHARACTERS = { name: 200, email: 320, phone: 50 } as const

const field = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `This may have at most ${max} characters`)
    .transform((value) => value || null)
    .nullish()

export const createLeadSchema = z.object({
  chatflowid: z.uuid('This must be the id of a flow'),
  chatId: z.string().min(1).max(200),
  name: field(MAX_LEAD_CHARACTERS.name),
  email: field(MAX_LEAD_CHARACTERS.email).refine(
    (value) => value === null || value === undefined || isEmailLike(value),
    'This is not an email address',
  ),
  phone: field(MAX_LEAD_CHARACTERS.phone),
})

export const listLeadsSchema = z.object({
  chatId: z.string().max(200).optional(),
  sortOrder: z.enum(['ASC', 'DESC']).default('DESC'),
  page: z.coerce.number().int().positive().default(1),
  limit: z.coerce.number().int().positive().max(500).default(500),
})

export const leadSchema = z
  .object({
    id: z.string(),
    chatflowid: z.string(),
    chatId: z.string(),
    name: z.string().nullable(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    createdDate: dateSchema,
  })
  .meta({ id: 'Lead' })

export type Lead = z.infer<typeof leadSchema>
export type CreateLead = z.infer<typeof createLeadSchema>
export type ListLeads = z.infer<typeof listLeadsSchema>

/** Something before and after one @, without spaces: what a form can tell. */
function isEmailLike(text: string): boolean {
  const at = text.indexOf('@')
  return at > 0 && at === text.lastIndexOf('@') && at < text.length - 1 && !/\s/.test(text)
}

/** The secret by which an integrator's server signs the sessions of callers without a key. */
import * as z from 'zod'

export const conversationSecretSchema = z.object({ exists: z.boolean() }).meta({ id: 'ConversationSecret' })
export type ConversationSecret = z.infer<typeof conversationSecretSchema>

export const newConversationSecretSchema = z
  .object({ secret: z.string().describe('Shown in this answer only') })
  .meta({ id: 'NewConversationSecret' })
export type NewConversationSecret = z.infer<typeof newConversationSecretSchema>

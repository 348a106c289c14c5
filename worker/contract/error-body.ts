/** The body of every refusal and failure, in Flowise's shape; `ErrorDetails` says what else it may carry. */
import * as z from 'zod'

export const errorBodySchema = z
  .looseObject({
    statusCode: z.int(),
    success: z.literal(false),
    message: z.string().describe('What is wrong, for a person'),
    stack: z.object({}),
    requestId: z.string(),
    field: z.string().optional().describe('The part of what was sent that is wrong, as a path'),
    retry: z.boolean().optional().describe('Renew the session and repeat the request'),
    redirectTo: z.string().optional(),
    error: z.string().optional(),
  })
  .meta({ id: 'Error' })

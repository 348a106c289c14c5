/** The body of every error, in Flowise's shape. `ErrorDetails` lists further fields. */
import * as z from 'zod'

export const errorBodySchema = z
  .looseObject({
    statusCode: z.int(),
    success: z.literal(false),
    message: z.string().describe('The problem, as a text for people'),
    stack: z.object({}),
    requestId: z.string(),
    field: z.string().optional().describe('Path of the invalid field'),
    retry: z.boolean().optional().describe('Renew the session and repeat the request'),
    redirectTo: z.string().optional(),
    error: z.string().optional(),
  })
  .meta({ id: 'Error' })

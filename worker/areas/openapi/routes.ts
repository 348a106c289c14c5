import * as z from 'zod'
import { cached, withETag } from '../../http/etag.ts'
import { type Route, route } from '../../http/route.ts'

const documentSchema = z.looseObject({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) })

/** @param areas every area's routes; asked when the description is first read, as it describes this route too */
export function openapiRoutes(areas: () => Record<string, Route[]>): Route[] {
  let text: string | undefined

  return [
    route({
      method: 'GET',
      path: '/openapi.json',
      summary: 'Get the OpenAPI description',
      answer: cached(documentSchema),
      access: 'public',
      embeddable: true,
      async handle({ context }) {
        const { describeApi } = await import('./document.ts')
        text ??= JSON.stringify(describeApi(areas()))
        return withETag(context, text)
      },
    }),
  ]
}

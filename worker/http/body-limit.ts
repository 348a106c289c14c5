/** Refuses a body above the route's limit before anything reads it. */
import { bodyLimit as honoBodyLimit } from 'hono/body-limit'
import { HeddleError } from '#contract/errors.ts'
import type { Route } from './route.ts'

const DEFAULT_BYTES = 1024 * 1024

export function bodyLimit(route: Route) {
  const maxSize = route.maxBodyBytes ?? DEFAULT_BYTES
  return honoBodyLimit({
    maxSize,
    onError() {
      throw new HeddleError('too_large', `The request body is larger than ${maxSize} bytes`)
    },
  })
}

/** Lets more than the usual megabyte through for a flow that takes files, from a caller who may call it. */
import type { Context } from 'hono'
import * as z from 'zod'
import { parseFlowData } from '#contract/chatflows/chatflows.ts'
import { HeddleError } from '#contract/errors.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { acceptedAudio } from '#contract/predictions/uploads.ts'
import { DEFAULT_BODY_BYTES } from '../../http/body-limit.ts'
import type { AppEnv } from '../../http/route.ts'
import { type PublicFlow, parseConfig, readPublicFlow, uploadsOf } from './public.ts'

type TakesFiles = (flow: PublicFlow, document: FlowDocument) => boolean

/**
 * Returns a route's `beforeLargeBody` for a path whose `:id` is a flow's. It throws what `assertMayCall` throws, or
 * `too_large`.
 */
export const largeBodyFor = (takesFiles: TakesFiles) => async (c: Context<AppEnv>) => {
  const id = c.req.param('id') ?? ''
  if (!z.uuid().safeParse(id).success)
    throw new HeddleError('bad_request', 'id: This must be the id of a flow', { field: 'id' })
  const flow = await readPublicFlow(c, id)
  if (takesFiles(flow, parseFlowData(flow.flowData))) return
  throw new HeddleError('too_large', `This flow takes no files, so a call may have at most ${DEFAULT_BODY_BYTES} bytes`)
}

/** Pictures, sounds or texts beside a question. */
export const takesUploads: TakesFiles = (flow, document) => {
  const { isImageUploadAllowed, isSpeechToTextEnabled } = uploadsOf(flow)
  return (
    isImageUploadAllowed ||
    isSpeechToTextEnabled ||
    acceptedAudio(document).length > 0 ||
    takesDocuments(flow, document)
  )
}

/** Files whose text goes with a question: *File upload* of the flow's settings. */
export const takesDocuments: TakesFiles = ({ chatbotConfig }) => {
  const { fullFileUpload } = parseConfig(chatbotConfig)
  return (fullFileUpload as { status?: unknown } | undefined)?.status === true
}

/**
 * Requests as an SDK's model writes them. To open a model costs more than to write a request, so the calls of one model
 * name share one, which knows neither an address nor a credential.
 */
import type { ModelFetch } from '../model-fetch.ts'
import type { CallOptions, ChatModel } from '../types.ts'

const MAX_KEPT = 100

/** @param open opens the SDK's model; nothing but its name may make a difference */
export function createWriter(open: (modelId: string, send: ModelFetch) => ChatModel) {
  const models = new Map<string, ChatModel>()

  /** Returns the request of an answer, which is streamed or comes at once. */
  return async (modelId: string, options: CallOptions, isStreamed: boolean): Promise<RequestInit> => {
    let model = models.get(modelId)
    if (!model) {
      if (models.size >= MAX_KEPT) models.clear()
      model = open(modelId, holdBack)
      models.set(modelId, model)
    }
    try {
      await (isStreamed ? model.doStream(options) : model.doGenerate(options))
    } catch (error) {
      if (error instanceof CapturedRequest) return error.request
      throw error
    }
    throw new Error('The request was not written')
  }
}

/** Takes a request out of the SDK instead of sending it. */
class CapturedRequest extends Error {
  readonly request: RequestInit

  constructor(request: RequestInit) {
    super('written')
    this.request = request
  }
}

const holdBack: ModelFetch = async (_, request = {}) => {
  throw new CapturedRequest(request)
}

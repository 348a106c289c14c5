/** A chat flow: a conversation chain with a model of this machine and its memory. */
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { drawChat } from '#worker/nodes/chatflow/testing/chat.ts'

/** @param credential the id of an OpenAI credential, whose key the model's server does not check */
export function drawChatChain({ baseUrl, credential }: { baseUrl: string; credential: string }): FlowDocument {
  const drawn = drawChat(
    {
      chatOpenAI_0: { inputs: { modelName: 'scripted', basepath: baseUrl } },
      bufferMemory_0: {},
      conversationChain_0: {},
    },
    ['chatOpenAI_0 > conversationChain_0.model', 'bufferMemory_0 > conversationChain_0.memory'],
  )
  const [model, ...others] = drawn.nodes
  if (!model) throw new Error('The flow has no model')
  return { ...drawn, nodes: [{ ...model, data: { ...model.data, credential } }, ...others] }
}

/** What attackers write into messages, names, answers and settings, and what a page must not make of it. */
import type { Locator } from '@playwright/test'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import type { Api } from './api.ts'
import { drawChatflow } from './draw.ts'
import { expect } from './test.ts'

/** Each sets `window.hit` when it is read as HTML or followed. */
export const MARKUP = [
  '<img src=x onerror="window.hit=1">',
  '<script>window.hit=1</script>',
  '<svg onload="window.hit=1">',
  '</span></p></div><iframe srcdoc="<script>parent.hit=1</script>"></iframe>',
  '<a href="javascript:window.hit=1" autofocus onfocus="window.hit=1">x</a>',
].join(' ')
export const LINKS = [
  'javascript:(window.opener||window).hit=1',
  ' JaVaScRiPt:(window.opener||window).hit=1',
  'java\nscript:(window.opener||window).hit=1',
  'java&#10;script:window.hit=1',
  'data:text/html,<script>hit=1</script>',
  'vbscript:x',
]
export const SVG = '<svg xmlns="http://www.w3.org/2000/svg" onload="parent.hit=1"><script>parent.hit=1</script></svg>'

/** Saves a flow that everyone may call. Returns its id. */
export async function publish(
  api: Api,
  flow: FlowDocument,
  { config = {}, name = 'Attacked', type = 'AGENTFLOW' }: { config?: object; name?: string; type?: string } = {},
): Promise<string> {
  const body = { name: `${name} ${crypto.randomUUID()}`, flowData: JSON.stringify(flow), type }
  const { id } = await api.post<{ id: string }>('/chatflows', body)
  await api.put(`/chatflows/${id}`, { callers: 'everyone', chatbotConfig: JSON.stringify(config) })
  return id
}

/** Saves a chat flow that cites a document for each source. Returns its id. */
export async function publishCiting(api: Api, modelUrl: string, sources: string[]): Promise<string> {
  const loaders = sources.map((source) => ({
    name: 'plainText',
    inputs: { text: MARKUP, metadata: JSON.stringify({ source, url: source, title: MARKUP }) },
  }))
  const rest = [
    { name: 'memoryVectorStore', inputs: { topK: String(sources.length) } },
    { name: 'practiceEmbeddings' },
    { name: 'chatOpenAICustom', inputs: { modelName: 'scripted', basepath: modelUrl } },
    { name: 'conversationalRetrievalQAChain', inputs: { returnSourceDocuments: true } },
  ]
  const [store, embeddings, model, chain] = [0, 1, 2, 3].map((at) => loaders.length + at) as [
    number,
    number,
    number,
    number,
  ]
  const flow = await drawChatflow(
    api,
    [...loaders, ...rest],
    [...loaders.map((_, at): [number, number] => [at, store]), [embeddings, store], [store, chain], [model, chain]],
  )
  return publish(api, flow, { type: 'CHATFLOW' })
}

/** Elements that only markup of an attacker makes, and addresses that run something. Follows each link of the chat. */
export async function expectHarmless(chat: Locator): Promise<void> {
  const found = await chat.evaluate((root) => {
    const all = [...(root.shadowRoot ?? root).querySelectorAll('*')]
    return all.flatMap((element) => {
      const attributes = [...element.attributes].filter(
        ({ name, value }) =>
          name.startsWith('on') ||
          name === 'srcdoc' ||
          (/^(href|src)$/.test(name) && !/^(https?:|mailto:|data:image\/|\/)/.test(value)),
      )
      return /^(script|iframe|object|embed|base|style)$/i.test(element.tagName) || attributes.length > 0
        ? [element.outerHTML]
        : []
    })
  })
  expect(found).toEqual([])
  for (const link of await chat.locator('a').all())
    await link.click({ modifiers: ['ControlOrMeta'], noWaitAfter: true })
  expect(await chat.page().evaluate('window.hit')).toBeUndefined()
}

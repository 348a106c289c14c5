/** The database round trips of a warm prediction, and the statements that are prepared for it. */
import { chain, llm, start } from '../support/flows.ts'
import { post } from './calls.ts'
import { drawChatChain } from './chat-flow.ts'
import type { Product } from './product.ts'
import { atMost, type Row } from './table.ts'

export async function measurePredictions(product: Product): Promise<Row[]> {
  const flowId = await product.save(chain(start(), llm(product.model.baseUrl)))
  const chat = drawChatChain({ baseUrl: product.model.baseUrl, credential: await product.addCredential() })
  const chatId = await product.save(chat, 'CHATFLOW')
  const talk = () => post(`${product.url}/api/v1/prediction/${chatId}`, { question: 'Hello?' })
  product.model.always(() => ({ text: 'A short answer.' }))
  const external = () => post(`${product.url}/api/v1/prediction/${flowId}`, { question: 'Hello?' })
  const internal = () => product.post(`/internal-prediction/${flowId}`, { question: 'Hello?' })
  return [
    ...(await countRoundTrips(product, 'warm prediction', external)),
    ...(await countRoundTrips(product, 'warm prediction of a signed-in person', internal)),
    ...(await countRoundTrips(product, 'warm prediction of a chat chain', talk)),
  ]
}

/** The model's answer is held back while the database is asked for its count: what is still under way counts too. */
async function countRoundTrips(product: Product, name: string, call: () => Promise<unknown>): Promise<Row[]> {
  const { model, roundTrips, prepared } = product
  for (let warm = 0; warm < 3; warm++) await call()
  const preparedBefore = await prepared()
  const before = await roundTrips()
  let atModel = Number.NaN
  model.reply(() => ({
    text: 'A short answer.',
    before: roundTrips().then((count) => {
      atModel = count - before
    }),
  }))
  await call()
  const inAll = (await roundTrips()) - before
  return [
    atMost(`${name}: round trips before the first token`, atModel, 1, ''),
    atMost(`${name}: round trips in all`, inAll, 2, ''),
    atMost(`${name}: statements prepared`, (await prepared()) - preparedBefore, 0, ''),
  ]
}

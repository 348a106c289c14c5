/** The flows that an API key may run, as models. */
import type { Context } from 'hono'
import * as z from 'zod'
import { type CallersKey, callRefusal } from '#contract/access/callers.ts'
import { HeddleError } from '#contract/errors.ts'
import type { Model } from '#contract/openai/chat-completions.ts'
import type { AppEnv } from '../../http/route.ts'
import { type ListedFlow, listCallableFlows, readKey } from '../chatflows/index.ts'

/** Returns the flows that the key may run, newest first. */
export async function listModels(c: Context<AppEnv>, key: CallersKey): Promise<Model[]> {
  const origin = c.req.header('origin')
  const flows = await listCallableFlows(c.get('services'), key)
  return flows
    .filter((flow) => callRefusal(flow, { key, ...(origin !== undefined && { origin }) }) === undefined)
    .map(modelOf)
}

/** Returns the id of the flow that a call names. Throws `not_found`, or `bad_request` when several have the name. */
export async function readFlowId(c: Context<AppEnv>, model: string): Promise<string> {
  return isFlowId(model) ? model.toLowerCase() : (await readModel(c, await readKey(c), model)).id
}

/** Returns the flow that the key may run with this id or name. */
export async function readModel(c: Context<AppEnv>, key: CallersKey, model: string): Promise<Model> {
  const found = (await listModels(c, key)).filter(({ id, name }) => id === model.toLowerCase() || name === model)
  const [only, another] = found
  if (!only) throw modelNotFound(model)
  if (!another) return only
  const ids = found.map(({ id }) => id).slice(0, 10)
  throw new HeddleError('bad_request', `Several flows are called "${model}". Send the id of one: ${ids.join(', ')}`, {
    field: 'model',
  })
}

const isFlowId = (model: string): boolean => z.uuid().safeParse(model).success

export const modelNotFound = (model: string) =>
  new HeddleError('not_found', `No flow that this key may run has the id or name "${model}"`, {
    field: 'model',
    code: 'model_not_found',
  })

const modelOf = ({ id, name, createdDate }: ListedFlow): Model => ({
  id,
  object: 'model',
  created: Math.floor(Date.parse(createdDate) / 1000),
  owned_by: 'heddle',
  name,
})

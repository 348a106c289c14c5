/** A flow as large as the product promises to draw. */
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { drawFlow, type Link } from '#contract/flow/document/draw.ts'
import { agentflow } from '#contract/flow/kinds/agentflow/kind.ts'
import type { Part } from '#contract/flow/kinds/types.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import type { Product } from './product.ts'

const COLUMNS = 25

/** `count` nodes in rows; each but the first hangs on the one before it, or at a row's beginning on the one above. */
export async function grid({ client }: Product, count: number): Promise<FlowDocument> {
  const response = await client.fetch('/api/v1/nodes')
  const definitions = (await response.json()) as ComponentDefinition[]
  const parts = Array.from({ length: count }, (_, index): Part => {
    const at = [(index % COLUMNS) * 320, Math.floor(index / COLUMNS) * 160] as const
    if (index === 0) return { name: 'startAgentflow', at }
    return { name: 'customFunctionAgentflow', at, inputs: { customFunctionJavascriptFunction: 'return $input' } }
  })
  const links = parts.slice(1).map((_, index): Link => {
    const to = index + 1
    return [to - (to % COLUMNS === 0 ? COLUMNS : 1), to]
  })
  return drawFlow({ parts, links }, definitions, agentflow)
}

import { START } from '#contract/flow/kinds/agentflow/nodes.ts'
import type { Sketch } from '#contract/home/home.ts'
import { findComponent } from '../../nodes/catalogue.ts'

/** Returns the labels of a flow's kinds of steps, each once. Every flow has a start, so that is left out. */
export function categoriesOf({ nodes }: Sketch): string[] {
  const names = new Set(nodes.map(({ name }) => name).filter((name) => name !== START))
  return [...new Set([...names].flatMap((name) => findComponent(name)?.label ?? []))]
}

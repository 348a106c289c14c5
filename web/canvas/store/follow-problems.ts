/** Keeps the checklist of an open canvas. Its rules are loaded after the flow is drawn. */
import { ref } from 'valtio'
import { subscribeKey } from 'valtio/utils'
import { kindOf } from '#contract/flow/kinds/index.ts'
import type { Problem } from '#contract/flow/rules/problem.ts'
import { flowProblems } from '#contract/flow/rules/problems.ts'
import type { OwnAssets } from '#contract/flow/rules/required-inputs.ts'
import type { Problems } from './problems.ts'
import type { Canvas } from './store.ts'

const PAUSE = 250

/** Keeps `state.problems` up to date. Returns the function that stops it. */
export function followProblems(
  canvas: Canvas,
  { flowId, own }: { flowId?: string | undefined; own?: OwnAssets } = {},
): () => void {
  const { state } = canvas
  const check = () => {
    const all = flowProblems(state.flow, canvas.definitions.values(), { flowId, kind: kindOf(canvas.kind.type), own })
    if (JSON.stringify(all) !== JSON.stringify(state.problems.all)) state.problems = ref(problemsOf(all))
  }
  check()
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = subscribeKey(state, 'flow', () => {
    clearTimeout(timer)
    timer = setTimeout(check, PAUSE)
  })
  return () => {
    clearTimeout(timer)
    stop()
  }
}

function problemsOf(all: readonly Problem[]): Problems {
  const errors = all.filter(({ severity }) => severity === 'error')
  return { all, byNode: byNode(all), failing: new Set(errors.flatMap(({ nodeId }) => nodeId ?? [])) }
}

function byNode(all: readonly Problem[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  for (const { nodeId, issue } of all) {
    if (nodeId === null) continue
    const before = texts.get(nodeId)
    texts.set(nodeId, before ? `${before}. ${issue}` : issue)
  }
  return texts
}

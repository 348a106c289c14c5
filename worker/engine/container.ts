/** Runs containers: a container has no code of its own, its steps are those of its items. */
import { itemPlace } from '#contract/runs/step-paths.ts'
import type { Iterate } from '../nodes/types.ts'
import type { Prepared } from './context.ts'
import type { Frame, FrameOptions } from './frame.ts'
import { Iterations } from './iterations.ts'
import type { Plan } from './plan.ts'
import type { Step } from './step.ts'

/** The operations that a container needs from the run. */
export interface ContainerHost {
  /** Opens a frame, restored from the log. */
  openFrame(options: FrameOptions): Frame
  enter(frame: Frame): void
  /** Ends the container with the result of `conclude`, which may throw. */
  conclude(step: Step, prepared: Prepared, conclude: () => ReturnType<Iterate['end']>): void
  fail(step: Step, error: unknown): void
}

interface Container {
  step: Step
  prepared: Prepared
  plan: Plan
  iterate: Iterate
}

/** Starts the first items. The container ends with its last item. */
export function openContainer({ step, prepared, plan, iterate }: Container, host: ContainerHost): void {
  const { frame, node, path } = step
  const { input, ...options } = iterate.begin(prepared.context)
  const items = new Iterations(
    {
      open(iteration, state) {
        const inside = { frame, container: node, iteration, endsAlone: options.onError === 'continue' }
        return host.openFrame({ plan, place: itemPlace(path, iteration.index), state, signal: frame.signal, inside })
      },
      enter: (child) => host.enter(child),
      end(results, state) {
        const context = { ...prepared.context, state }
        host.conclude(step, { ...prepared, context }, () => ({ ...iterate.end(results, context), input }))
      },
      fail: (error) => host.fail(step, error),
    },
    options,
    prepared.context.state,
  )
  frame.items.set(node, items)
  items.advance()
}

/** A container is no work of its own: its items' steps are. */
import type { Iterate } from '../nodes/types.ts'
import type { Prepared } from './context.ts'
import type { Frame, FrameOptions } from './frame.ts'
import { Iterations } from './iterations.ts'
import { placeOf } from './paths.ts'
import type { Plan } from './plan.ts'
import type { Step } from './step.ts'

/** What the run does for all containers. */
export interface ContainerHost {
  /** A frame with what the log has of it. */
  openFrame(options: FrameOptions): Frame
  enter(frame: Frame): void
  /** The container ended; `conclude` makes its result, and may throw. */
  conclude(step: Step, prepared: Prepared, conclude: () => ReturnType<Iterate['end']>): void
  fail(step: Step, thrown: unknown): void
}

export interface Container {
  step: Step
  prepared: Prepared
  plan: Plan
  iterate: Iterate
}

/** Begins the first items. The container ends when the last one has. */
export function openContainer({ step, prepared, plan, iterate }: Container, host: ContainerHost): void {
  const { frame, node, path } = step
  const { input, ...begun } = iterate.begin(prepared.context)
  const items = new Iterations(
    {
      open(iteration, state) {
        const inside = { frame, container: node, iteration, endsAlone: begun.onError === 'continue' }
        return host.openFrame({ plan, place: placeOf(path, iteration.index), state, signal: frame.signal, inside })
      },
      enter: (child) => host.enter(child),
      end(results, state) {
        const context = { ...prepared.context, state }
        host.conclude(step, { ...prepared, context }, () => ({ ...iterate.end(results, context), input }))
      },
      fail: (thrown) => host.fail(step, thrown),
    },
    begun,
    prepared.context.state,
  )
  frame.items.set(node, items)
  items.advance()
}

import type { FlowType } from '#contract/flow/flow-types.ts'
import { kindOf, whyNotRun } from '#contract/flow/kinds/index.ts'
import { ErrorState } from '../ui/feedback/ErrorState.tsx'

/** Explains that a canvas does not open flows of another type. */
export default function UnopenedFlow({ type }: { type: FlowType }) {
  return (
    <ErrorState
      title="This flow can’t be shown"
      text={whyNotRun(type) ?? `${kindOf(type).label}s open on another page.`}
    />
  )
}

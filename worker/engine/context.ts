/** Builds the context of a step: its inputs with all references resolved, and the ports. */

import { ERROR_OUTPUT } from '#contract/flow/params/run-policy.ts'
import type { Lookup } from '#contract/flow/references/references.ts'
import type { ChatTurn, RunEvent, UsageMetadata } from '#contract/runs/events.ts'
import type { ConnectedComponent, StepContext } from '../nodes/types.ts'
import type { PlanComponent, PlanNode, Wired } from './plan.ts'
import {
  compileUpdates,
  constantUpdates,
  type Inputs,
  resolveInputs,
  type UpdateTemplate,
  withOverrides,
} from './resolve-inputs.ts'
import { lookupIn } from './scope.ts'
import type { Step } from './step.ts'
import type { RunRequest } from './types.ts'

/** Services of the run for one step. */
interface StepServices {
  request: RunRequest
  pastHistory: readonly ChatTurn[]
  answered: StepContext['answered']
  signal: AbortSignal
  emit(event: RunEvent): void
  charge(usage: UsageMetadata): void
}

export interface Prepared {
  context: StepContext
  lookup: Lookup
  updates: UpdateTemplate[]
}

/** Returns the step's context with resolved inputs, the caller's overrides and edits applied. */
export function prepare(step: Step, services: StepServices): Prepared {
  const { frame, node, path } = step
  const { request, pastHistory, answered, signal, emit, charge } = services
  const { identity, input, variables, egress, sandbox, clock, log, openComponents, flows } = request
  const { files, knowledge, records, tables } = request
  const view = frame.before(node)
  const lookup = lookupIn({
    identity,
    input,
    variables,
    view,
    pastHistory,
    loopCount: frame.loopCount(node),
    iteration: frame.inside?.iteration,
    output: (id) => frame.output(id, node),
    now: () => clock.now(),
  })
  const edit = request.edits?.[path]
  const override = request.overrides?.[node.id] ?? {}
  const opened = new Map<PlanComponent, Promise<ConnectedComponent>>()
  const open = (component: PlanComponent) => {
    const opening = opened.get(component) ?? openComponent(component, contextOf(component))
    opened.set(component, opening)
    return opening
  }
  const contextOf = (wired: Wired): StepContext => ({ ...shared, ...ownContext(wired) })
  const ownContext = ({ id, name, label, credential, output, rawInputs, inputs, links }: Wired) => {
    const replaced = request.overrides?.[id] ?? {}
    const edited = id === node.id ? edit : undefined
    const values = { ...withOverrides(resolveInputs(inputs, lookup), replaced), ...edited }
    return {
      node: { id, name, label },
      output,
      inputs: values,
      rawInputs: { ...withOverrides(rawInputs, replaced), ...edited },
      components: openComponents({ id, label, inputs: values, credential }, signal),
      connected: (at: string) => Promise.all((links.get(at) ?? []).map(open)),
    }
  }
  const shared = {
    identity,
    input,
    state: view.state,
    pastHistory,
    runtimeHistory: view.history,
    variables,
    isLast: !frame.inside && isEnding(node),
    streaming: request.streaming ?? false,
    loopCount: frame.loopCount(node),
    backEdges: node.backEdges,
    ...(frame.inside && { iteration: frame.inside.iteration }),
    ...(answered && { answered }),
    flows,
    files,
    knowledge,
    records,
    tables,
    egress,
    sandbox,
    clock,
    signal,
    idempotencyKey: `${identity.executionId}:${path}`,
    emit,
    charge,
    barrier: () => log.barrier(),
  }
  return { context: contextOf(node), lookup, updates: updatesOf(node, { override, edit }) }
}

async function openComponent(
  { id, name, label, type }: PlanComponent,
  context: StepContext,
): Promise<ConnectedComponent> {
  const { type: componentType, value } = await type.provide(context)
  return { type: componentType, value, node: { id, name, label } }
}

/** Returns the owner's state updates, or edited ones, followed by the caller's, whose values are not templates. */
function updatesOf({ rawInputs, params, updates }: PlanNode, { override, edit }: { override: Inputs; edit?: Inputs }) {
  const own = edit ? compileUpdates({ ...rawInputs, ...edit }, params) : updates
  return [...own, ...constantUpdates(override, params)]
}

/** Returns true if nothing but disabled nodes follows when the node succeeds. */
function isEnding({ outgoing }: PlanNode): boolean {
  return outgoing.every(({ output, target }) => output === ERROR_OUTPUT || (target.isDisabled && isEnding(target)))
}

/** Summary of an import report, with what is left to do. */
import type { BundleKey, Choice, ImportedItem, ImportReport } from '#contract/export-import/export-import.ts'
import type { FlowReport } from '#contract/schemas/flow-report.ts'

type TaskKind = FlowReport['nodes'][number]['tasks'][number]['kind']

const NEEDS: Record<TaskKind, [one: string, more: string]> = {
  credential: ['needs a credential', 'need a credential'],
  setting: ['needs a setting', 'need a setting'],
  unsupported: ['is not supported yet', 'are not supported yet'],
}

/** Returns a sentence such as `12 nodes. 4 need a credential, 1 is not supported yet.` */
export function summaryText({ nodes, edges }: FlowReport): string {
  const needs = (Object.keys(NEEDS) as TaskKind[]).flatMap((kind) => {
    const count = nodes.filter(({ tasks }) => tasks.some((task) => task.kind === kind)).length
    return count > 0 ? [`${count} ${NEEDS[kind][count === 1 ? 0 : 1]}`] : []
  })
  if (edges.length > 0)
    needs.push(edges.length === 1 ? '1 connection leads nowhere' : `${edges.length} connections lead nowhere`)
  const total = nodes.length === 1 ? '1 node' : `${nodes.length} nodes`
  return needs.length > 0 ? `${total}. ${needs.join(', ')}.` : `${total}, ready to run.`
}

/** Returns what becomes of the source files of an imported design, and of those of the flow whose drawing it replaces. */
export function sourcesTexts(imported: number, replaced?: number): string[] {
  if (replaced === undefined)
    return imported > 0 ? [`The ${filesOf(imported)} of this design ${imported === 1 ? 'comes' : 'come'} along.`] : []
  return [
    ...(imported > 0
      ? [
          `The ${filesOf(imported)} of this design ${imported === 1 ? 'stays' : 'stay'} behind: only the drawing is replaced. Import it as a new flow to keep them.`,
        ]
      : []),
    ...(replaced > 0
      ? [
          `This flow keeps its own ${filesOf(replaced)}, which ${replaced === 1 ? 'describes' : 'describe'} the previous drawing.`,
        ]
      : []),
  ]
}

const filesOf = (count: number) => (count === 1 ? 'source file' : `${count} source files`)

interface OpenTask {
  reason: string
  /** The labels of the nodes that have it. */
  nodes: string[]
}

/** Returns each task once, in the order of the flow. */
export function openTasks({ nodes, edges }: FlowReport): OpenTask[] {
  const tasks = new Map<string, Set<string>>()
  for (const node of nodes) {
    for (const { reason } of node.tasks) tasks.set(reason, (tasks.get(reason) ?? new Set()).add(node.label))
  }
  return [
    ...[...tasks].map(([reason, labels]) => ({ reason, nodes: [...labels] })),
    ...edges.map(({ reason }) => ({ reason, nodes: [] })),
  ]
}

/** Returns the other changes of a node, which need nobody. */
export const changesOf = ({ reasons, tasks }: FlowReport['nodes'][number]): string[] =>
  reasons.filter((reason) => !tasks.some((task) => task.reason === reason))

/** The person's choices, by `placeOf` an item. */
export type Choices = Readonly<Record<string, Choice>>

export const placeOf = ({ key, id }: Pick<ImportedItem, 'key' | 'id'>): string => `${key}/${id}`

export const choiceOf = (item: ImportedItem, choices: Choices): Choice => choices[placeOf(item)] ?? item.choice

/** Returns how many rows of each kind these choices import. */
export function countImported({ imported, items }: ImportReport, choices: Choices): Partial<Record<BundleKey, number>> {
  const counts: Partial<Record<BundleKey, number>> = { ...imported }
  for (const item of items) {
    const before = item.choice === 'skip' ? 0 : 1
    const after = choiceOf(item, choices) === 'skip' ? 0 : 1
    counts[item.key] = (counts[item.key] ?? 0) + after - before
  }
  return counts
}

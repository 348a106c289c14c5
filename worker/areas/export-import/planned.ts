/** The writes of an import. */
import type { FlowKey, ImportReport } from '#contract/export-import/export-import.ts'
import type { FlowType } from '#contract/flow/flow-types.ts'
import type { SourceFile } from '#contract/flow/sources.ts'
import type { ASSISTANT_KEYS, AssistantKey, AssistantRow, TemplateRow, ToolRow } from './assets.ts'
import type { PlannedStore } from './document-stores/plan-stores.ts'
import type { PlannedChunk } from './document-stores/take-chunks.ts'
import type { FlowAccess } from './flow-access.ts'
import type { Planned } from './items.ts'
import type { PlannedBulk } from './plan-bulk.ts'
import type { VariableRow } from './rows.ts'

export interface PlannedFlow {
  /** Its list in the file; none for a flow that is drawn anew for its assistant. */
  key: FlowKey | undefined
  id: string
  name: string
  type: FlowType
  flowData: string
  sources: readonly SourceFile[]
  access: FlowAccess
  isReplacing: boolean
}

export interface ImportPlan extends ItemPlan, PlannedBulk {
  chunks: PlannedChunk[]
}

/** An import without the rows that follow its items. */
export interface ItemPlan extends PlannedItems {
  report: ImportReport
}

export interface PlannedItems {
  flows: PlannedFlow[]
  assistants: Planned<AssistantRow & { type: (typeof ASSISTANT_KEYS)[AssistantKey] }>[]
  templates: Planned<TemplateRow>[]
  tools: Planned<ToolRow>[]
  variables: Planned<VariableRow>[]
  stores: PlannedStore[]
}

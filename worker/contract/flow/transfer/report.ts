/** Reports for each node what an import changes, before anything is imported. */
import type { EdgeReport, FlowReport, NodeReport } from '../../schemas/flow-report.ts'
import type { FlowDocument, FlowEdge, FlowNode } from '../document/document.ts'
import { orphanedEdges } from '../document/orphans.ts'
import { CREDENTIAL_ID } from '../document/serialize.ts'
import { isStickyNote } from '../document/sticky-note.ts'
import type { FlowKind } from '../kinds/types.ts'
import type { ComponentDefinition } from '../params/definition.ts'
import { componentsByName, hintsOf } from '../params/params.ts'
import { whyUnsupported } from '../rules/unsupported-nodes.ts'
import { approvedByMembers } from './approved-by-members.ts'
import { leftOutOfExports } from './left-out.ts'
import { type Finding, type FindingScope, missingCredential, nodeInputFindings } from './report-inputs.ts'

export interface ReportOptions {
  kind: FlowKind
  /** Ids of flows, stores and credentials that exist in the importing workspace or arrive with this flow. */
  knownIds?: ReadonlySet<string>
  /** What parsing left out, by node id. */
  dropped?: ReadonlyMap<string, string>
}

/** @param components everything that can be placed or chosen: node types, models, tools */
export function importReport(
  flow: FlowDocument,
  components: Iterable<ComponentDefinition>,
  { kind, knownIds = new Set(), dropped = new Map() }: ReportOptions,
): FlowReport {
  const scope = { definitions: componentsByName(components), knownIds }
  const labels = new Map(flow.nodes.map(({ id, data }) => [id, data.label || id]))
  return {
    nodes: flow.nodes.map((node) => {
      const leftOut = dropped.get(node.id)
      return nodeReport(node, [...listFindings(node, scope), ...(leftOut ? [{ reason: leftOut }] : [])])
    }),
    edges: orphanedEdges(flow, kind).map((edge) => hanging(edge, labels)),
    notes: [...approvedByMembers(flow), ...leftOutOfExports(flow, scope.definitions.values())],
  }
}

/** Returns true when the node's type and every component that it uses are supported. The canvas marks other nodes. */
export function isSupported(
  node: Pick<FlowNode, 'data'>,
  definitions: ReadonlyMap<string, ComponentDefinition>,
): boolean {
  return !listFindings(node, { definitions, knownIds: new Set() }).some(({ task }) => task === 'unsupported')
}

function nodeReport(node: FlowNode, findings: Finding[]): NodeReport {
  const verdict = findings.some(({ task }) => task === 'unsupported') ? 'unsupported' : 'changed'
  return {
    nodeId: node.id,
    label: node.data.label || node.id,
    name: node.data.name,
    verdict: findings.length === 0 ? 'exact' : verdict,
    reasons: [...new Set(findings.map(({ reason }) => reason))],
    tasks: findings.flatMap(({ reason, task }) => (task ? [{ kind: task, reason }] : [])),
  }
}

function listFindings(node: Pick<FlowNode, 'data'>, scope: FindingScope): Finding[] {
  const { data } = node
  const definition = scope.definitions.get(data.name)
  if (!definition) return isStickyNote(data) ? [] : [unknownType(data.name)]
  return [
    ...(data.label ? [] : [{ reason: 'This node has no name. Give it one.', task: 'setting' as const }]),
    ...versionFindings(data.version, definition),
    ...nodeInputFindings(definition, data.inputs ?? {}, scope),
    ...missingCredential(definition, data.credential || data.inputs?.[CREDENTIAL_ID], { prefix: '', scope }),
    ...hintsOf(definition, data.inputs ?? {}).map((reason) => ({ reason })),
  ]
}

const unknownType = (name: string): Finding => ({
  reason: `The node type ${name} is not supported${whyUnsupported(name)}. Exports include the node unchanged, but a run stops when it reaches it.`,
  task: 'unsupported',
})

function versionFindings(version: number | undefined, definition: ComponentDefinition): Finding[] {
  if (version === definition.version) return []
  const current = `version ${definition.version} of ${definition.label}`
  const isNewer = version !== undefined && version > definition.version
  if (isNewer) return [{ reason: `Made for version ${version}; runs as ${current}. Newer settings are ignored.` }]
  const from = version === undefined ? '' : ` from version ${version}`
  return [{ reason: `Upgraded${from} to ${current}. New settings use their defaults.` }]
}

function hanging({ id, source, target }: FlowEdge, labels: ReadonlyMap<string, string>): EdgeReport {
  const nameOf = (nodeId: string) => labels.get(nodeId) ?? nodeId
  return {
    edgeId: id,
    reason: `The connection from ${nameOf(source)} to ${nameOf(target)} leads nowhere. Remove it in the editor.`,
  }
}

import { Badge, Box, chakra, Text } from '@chakra-ui/react'
import type { FlowReport, ImportVerdict, NodeReport } from '#contract/flow/transfer/report.ts'

const VERDICTS: Record<ImportVerdict, { label: string; palette: string }> = {
  exact: { label: 'As it was', palette: 'success' },
  changed: { label: 'Changed', palette: 'warning' },
  unsupported: { label: 'Not supported', palette: 'danger' },
}

/** `9 nodes as they were, 2 changed, 1 not supported` */
export function summaryText({ nodes }: FlowReport): string {
  const count = (verdict: ImportVerdict) => nodes.filter((node) => node.verdict === verdict).length
  const exact = count('exact')
  const parts = [
    `${exact} ${exact === 1 ? 'node as it was' : 'nodes as they were'}`,
    count('changed') > 0 && `${count('changed')} changed`,
    count('unsupported') > 0 && `${count('unsupported')} not supported`,
  ]
  return parts.filter(Boolean).join(', ')
}

/** What becomes of a flow's nodes; those that stay as they were are only counted. */
export function FlowReportView({ report }: { report: FlowReport }) {
  const told = report.nodes.filter(({ verdict }) => verdict !== 'exact')
  return (
    <Box>
      <Text color="fg.muted">{summaryText(report)}</Text>
      {report.notes.map((note) => (
        <Text key={note} textStyle="sm" mt="2" overflowWrap="anywhere">
          {note}
        </Text>
      ))}
      <chakra.ul listStyleType="none" display="flex" flexDirection="column" gap="3" mt="3" _empty={{ display: 'none' }}>
        {told.map((node) => (
          <NodeLine key={node.nodeId} node={node} />
        ))}
        {report.edges.map(({ edgeId, reason }) => (
          <chakra.li key={edgeId} textStyle="sm">
            {reason}
          </chakra.li>
        ))}
      </chakra.ul>
    </Box>
  )
}

function NodeLine({ node: { label, verdict, reasons } }: { node: NodeReport }) {
  return (
    <li>
      <Text as="span" fontWeight="medium" overflowWrap="anywhere" me="2">
        {label}
      </Text>
      <Badge colorPalette={VERDICTS[verdict].palette}>{VERDICTS[verdict].label}</Badge>
      {reasons.map((reason) => (
        <Text key={reason} textStyle="sm" color="fg.muted" mt="0.5" overflowWrap="anywhere">
          {reason}
        </Text>
      ))}
    </li>
  )
}

import { Badge, Box, chakra, Text } from '@chakra-ui/react'
import type { FlowReport, ImportVerdict, NodeReport } from '#contract/flow/transfer/report.ts'

const VERDICTS: Record<ImportVerdict, { label: string; palette: string }> = {
  exact: { label: 'Unchanged', palette: 'success' },
  changed: { label: 'Upgraded', palette: 'warning' },
  unsupported: { label: 'Not supported', palette: 'danger' },
}

/** Returns a summary such as `12 nodes, 2 upgraded, 1 not supported`. */
export function summaryText({ nodes }: FlowReport): string {
  const count = (verdict: ImportVerdict) => nodes.filter((node) => node.verdict === verdict).length
  const total = nodes.length
  const parts = [
    total === 1 ? '1 node' : `${total} nodes`,
    count('changed') > 0 && `${count('changed')} upgraded`,
    count('unsupported') > 0 && `${count('unsupported')} not supported`,
  ]
  return parts.filter(Boolean).join(', ')
}

/** The import preview of a flow. Unchanged nodes are counted, others are listed with reasons. */
export function FlowReportView({ report }: { report: FlowReport }) {
  const notable = report.nodes.filter(({ verdict }) => verdict !== 'exact')
  return (
    <Box>
      <Text color="fg.muted">{summaryText(report)}</Text>
      {report.notes.map((note) => (
        <Text key={note} textStyle="sm" mt="2" overflowWrap="anywhere">
          {note}
        </Text>
      ))}
      <chakra.ul listStyleType="none" display="flex" flexDirection="column" gap="3" mt="3" _empty={{ display: 'none' }}>
        {notable.map((node) => (
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

import { Badge, Box, chakra, Heading, Text } from '@chakra-ui/react'
import type { FlowReport, ImportVerdict, NodeReport } from '#contract/schemas/flow-report.ts'
import { changesOf, openTasks } from './report-summary.ts'

const VERDICTS: Record<ImportVerdict, { label: string; palette: string }> = {
  exact: { label: 'Unchanged', palette: 'success' },
  changed: { label: 'Upgraded', palette: 'warning' },
  unsupported: { label: 'Not supported', palette: 'danger' },
}

const List = chakra('ul', {
  base: { listStyleType: 'none', display: 'flex', flexDirection: 'column', gap: '3', mt: '2' },
})

/** The import preview of a flow: what is left to do, and, folded, what the import changes. */
export function FlowReportView({ report, heading = 'h3' }: { report: FlowReport; heading?: 'h3' | 'h4' }) {
  const tasks = openTasks(report)
  const changed = report.nodes.filter((node) => changesOf(node).length > 0)
  return (
    <Box>
      {tasks.length > 0 && (
        <>
          <Heading as={heading} size="sm" mt="4">
            Before you run it
          </Heading>
          <List>
            {tasks.map(({ reason, nodes }) => (
              <chakra.li key={reason} overflowWrap="anywhere">
                {nodes.length > 0 && <Text fontWeight="medium">{nodes.join(', ')}</Text>}
                <Text textStyle="sm" color="fg.muted">
                  {reason}
                </Text>
              </chakra.li>
            ))}
          </List>
        </>
      )}
      {changed.length + report.notes.length > 0 && (
        <chakra.details mt="4">
          <chakra.summary cursor="pointer" minH="6" textStyle="sm" color="fg.muted">
            What the import changes ({changed.length + report.notes.length})
          </chakra.summary>
          {report.notes.map((note) => (
            <Text key={note} textStyle="sm" mt="2" overflowWrap="anywhere">
              {note}
            </Text>
          ))}
          <List>
            {changed.map((node) => (
              <NodeLine key={node.nodeId} node={node} />
            ))}
          </List>
        </chakra.details>
      )}
    </Box>
  )
}

function NodeLine({ node }: { node: NodeReport }) {
  const { label, verdict } = node
  return (
    <li>
      <Text as="span" fontWeight="medium" overflowWrap="anywhere" me="2">
        {label}
      </Text>
      <Badge colorPalette={VERDICTS[verdict].palette}>{VERDICTS[verdict].label}</Badge>
      {changesOf(node).map((reason) => (
        <Text key={reason} textStyle="sm" color="fg.muted" mt="0.5" overflowWrap="anywhere">
          {reason}
        </Text>
      ))}
    </li>
  )
}

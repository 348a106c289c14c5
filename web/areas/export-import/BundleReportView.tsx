import { Box, chakra, Heading, Text } from '@chakra-ui/react'
import type { ImportReport } from '#contract/export-import.ts'
import { FlowReportView } from './FlowReportView.tsx'
import { BUNDLE_NAMES } from './names.ts'
import { summaryText } from './report-summary.ts'

/** The import preview of a workspace file. */
export function BundleReportView({ report }: { report: ImportReport }) {
  const counts = BUNDLE_NAMES.flatMap(({ key, name }) => {
    const count = report.imported[key] ?? 0
    return count > 0 ? [`${name}: ${count}`] : []
  })
  return (
    <Box display="flex" flexDirection="column" gap="5">
      <Text>{counts.length > 0 ? counts.join(' · ') : 'Nothing in this file can be imported.'}</Text>
      {report.notes.map((note) => (
        <Text key={note} textStyle="sm" color="fg.muted">
          {note}
        </Text>
      ))}
      {report.flows.length > 0 && (
        <Box>
          <Heading as="h3" size="sm" mb="2">
            Flows
          </Heading>
          {report.flows.map((flow) => (
            <chakra.details key={flow.newId} borderTopWidth="1px" py="2">
              <chakra.summary cursor="pointer" minH="6" overflowWrap="anywhere">
                <chakra.span fontWeight="medium">{flow.name}</chakra.span>
                <chakra.span color="fg.muted" textStyle="sm">
                  {' '}
                  {summaryText(flow)}
                </chakra.span>
              </chakra.summary>
              <Box pt="3" ps="4">
                <FlowReportView report={flow} heading="h4" />
              </Box>
            </chakra.details>
          ))}
        </Box>
      )}
      {report.leftOut.length > 0 && (
        <Box>
          <Heading as="h3" size="sm" mb="2">
            Skipped
          </Heading>
          <chakra.ul listStyleType="none" display="flex" flexDirection="column" gap="2">
            {report.leftOut.map(({ key, count, names, why }) => (
              <li key={`${key} ${why}`}>
                {BUNDLE_NAMES.find((each) => each.key === key)?.name}: {count}
                <Text textStyle="sm" color="fg.muted" overflowWrap="anywhere">
                  {why}
                  {names.length > 0 && ` (${names.join(', ')}${count > names.length ? ', …' : ''})`}
                </Text>
              </li>
            ))}
          </chakra.ul>
        </Box>
      )}
    </Box>
  )
}

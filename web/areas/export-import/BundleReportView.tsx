import { Box, chakra, Heading, Text } from '@chakra-ui/react'
import type { Choice, ImportReport } from '#contract/export-import/export-import.ts'
import { ImportItem } from './ImportItem.tsx'
import { BUNDLE_NAMES } from './names.ts'
import { type Choices, choiceOf, countImported, placeOf } from './report-summary.ts'

interface Props {
  report: ImportReport
  choices: Choices
  onChoose(place: string, choice: Choice): void
}

/** The import preview of a workspace file, with a choice for each item. */
export function BundleReportView({ report, choices, onChoose }: Props) {
  const imported = countImported(report, choices)
  const counts = BUNDLE_NAMES.flatMap(({ key, name }) => {
    const count = imported[key] ?? 0
    return count > 0 ? [`${name}: ${count}`] : []
  })
  const flows = new Map(report.flows.map((flow) => [placeOf(flow), flow]))
  const toSet = report.items.filter((item) => item.needs && choiceOf(item, choices) !== 'skip')
  return (
    <Box display="flex" flexDirection="column" gap="5">
      <Text>{counts.length > 0 ? counts.join(' · ') : 'Nothing in this file will be imported.'}</Text>
      {report.notes.map((note) => (
        <Text key={note} textStyle="sm" color="fg.muted">
          {note}
        </Text>
      ))}
      {report.items.length > 0 && (
        <Box>
          <Heading as="h3" size="sm" mb="2">
            Contents
          </Heading>
          {report.items.map((item, index) => (
            <ImportItem
              // biome-ignore lint/suspicious/noArrayIndexKey: a file may lack ids, and the list never changes
              key={index}
              item={item}
              flow={flows.get(placeOf(item))}
              choice={choiceOf(item, choices)}
              onChoose={(choice) => onChoose(placeOf(item), choice)}
            />
          ))}
        </Box>
      )}
      {toSet.length > 0 && (
        <Box>
          <Heading as="h3" size="sm" mb="2">
            To set up after the import
          </Heading>
          <Text textStyle="sm" color="fg.muted" mb="2">
            Files contain no secrets.
          </Text>
          <chakra.ul listStyleType="none" display="flex" flexDirection="column" gap="1">
            {toSet.map(({ key, id, name, needs }) => (
              <chakra.li key={`${key}/${id}/${name}`} overflowWrap="anywhere">
                {name}
                <chakra.span color="fg.muted" textStyle="sm">
                  {' '}
                  {needs}
                </chakra.span>
              </chakra.li>
            ))}
          </chakra.ul>
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

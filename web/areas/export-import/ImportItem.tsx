import { Badge, Box, chakra, Flex, NativeSelect } from '@chakra-ui/react'
import type { Choice, ImportedFlow, ImportedItem } from '#contract/export-import/export-import.ts'
import { FlowReportView } from './FlowReportView.tsx'
import { choiceNames, itemName } from './names.ts'
import { summaryText } from './report-summary.ts'

const FOUND_BADGES: Record<ImportedItem['found'], { label: string; palette: string } | undefined> = {
  none: undefined,
  same: { label: 'You have it', palette: 'gray' },
  different: { label: 'Yours differs', palette: 'warning' },
}

interface Props {
  item: ImportedItem
  /** The report of a flow. */
  flow: ImportedFlow | undefined
  choice: Choice
  onChoose(choice: Choice): void
}

/** One item of a workspace file, with the choice of what happens to it. */
export function ImportItem({ item, flow, choice, onChoose }: Props) {
  const names = choiceNames(item)
  const found = FOUND_BADGES[item.found]
  const title = (
    <>
      <chakra.span fontWeight="medium">{item.name}</chakra.span>
      <chakra.span color="fg.muted" textStyle="sm">
        {' '}
        {itemName(item)}
        {flow && ` · ${summaryText(flow)}`}
      </chakra.span>
      {found && (
        <Badge ms="2" colorPalette={found.palette}>
          {found.label}
        </Badge>
      )}
    </>
  )
  return (
    <Flex borderTopWidth="1px" py="2" gap="3" wrap="wrap" align="start" justify="space-between">
      <Box flex="1 1 14rem" minW="0" overflowWrap="anywhere">
        {flow ? (
          <chakra.details>
            <chakra.summary cursor="pointer" minH="6">
              {title}
            </chakra.summary>
            <Box pt="3" ps="4">
              <FlowReportView report={flow} heading="h4" />
            </Box>
          </chakra.details>
        ) : (
          title
        )}
      </Box>
      {item.id !== '' && item.choices.length > 1 && (
        <NativeSelect.Root w="auto" size="sm">
          <NativeSelect.Field
            aria-label={`What to do with ${item.name}`}
            value={choice}
            onChange={(event) => onChoose(event.target.value as Choice)}
          >
            {item.choices.map((each) => (
              <option key={each} value={each}>
                {names[each]}
              </option>
            ))}
          </NativeSelect.Field>
          <NativeSelect.Indicator />
        </NativeSelect.Root>
      )}
    </Flex>
  )
}

import { Box, Flex, Heading, Skeleton, Stack, Text } from '@chakra-ui/react'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { errorMessage } from '#contract/errors.ts'
import { VECTOR_STORE_CATEGORY } from '#contract/flow/params/categories.ts'
import type { FlowUpsertHistory } from '#contract/upserts/upserts.ts'
import { confirm } from '../../state/confirm.ts'
import { notify } from '../../state/notify.ts'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { RowMenu } from '../../ui/lists/RowMenu.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { describeCounts } from './describe-counts.ts'
import { deleteEntries, historyQuery } from './queries.ts'

/** Upserts of a flow, newest first. */
export function History({ flowId }: { flowId: string }) {
  const titleId = useId()
  const { data: entries, error, refetch } = useQuery(historyQuery(flowId))
  return (
    <Stack as="section" aria-labelledby={titleId} gap="2" borderTopWidth="1px" pt="4">
      <Heading as="h3" size="sm" id={titleId}>
        History
      </Heading>
      {error && !entries && (
        <ErrorState title="Couldn’t load the history" text={error.message} onRetry={() => void refetch()} />
      )}
      {!error && !entries && <Skeleton h="16" borderRadius="xl" role="status" aria-label="Loading history" />}
      {entries?.length === 0 && (
        <Text fontSize="sm" color="fg.muted">
          Nothing has been upserted yet.
        </Text>
      )}
      <Stack as="ol" listStyleType="none" gap="2" aria-label="Upserts, newest first">
        {entries?.map((entry) => (
          <li key={entry.id}>
            <Entry entry={entry} />
          </li>
        ))}
      </Stack>
    </Stack>
  )
}

function Entry({ entry }: { entry: FlowUpsertHistory }) {
  const store = entry.flowData.find(({ category }) => category === VECTOR_STORE_CATEGORY)
  return (
    <Flex borderWidth="1px" rounded="xl" ps="3" pe="1" py="2" gap="2" align="start">
      <Box flex="1" minW="0">
        <Text fontSize="sm">{describeCounts(entry.result)}</Text>
        <Text fontSize="xs" color="fg.muted" overflowWrap="anywhere">
          {store && `${store.label} · `}
          <RelativeTime date={entry.date} />
        </Text>
      </Box>
      <RowMenu
        of={`the upsert of ${new Date(entry.date).toLocaleString()}`}
        actions={[{ label: 'Delete', icon: IconTrash, danger: true, onSelect: () => void askAndDelete(entry) }]}
      />
    </Flex>
  )
}

async function askAndDelete({ id }: FlowUpsertHistory): Promise<void> {
  const sure = await confirm({
    title: 'Delete this entry?',
    description: 'What it wrote stays in the vector store.',
    confirmButtonName: 'Delete',
    danger: true,
  })
  if (!sure) return
  try {
    await deleteEntries([id])
    notify.success('Entry deleted')
  } catch (error) {
    notify.error(`Couldn’t delete the entry: ${errorMessage(error)}`)
  }
}

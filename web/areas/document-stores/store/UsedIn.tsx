import { Box, Heading, Stack, Text } from '@chakra-ui/react'
import { useId } from 'react'
import type { DocumentStore } from '#contract/document-stores/stores.ts'
import { Collapsible } from '../../../ui/Collapsible.tsx'
import { UserList } from '../../../usages/UserList.tsx'

/** The flows that search a store, and how another one can. */
export function UsedIn({ store: { id, name, usageCount } }: { store: DocumentStore }) {
  const titleId = useId()
  return (
    <Stack as="section" aria-labelledby={titleId} gap="3" align="start">
      <Heading as="h2" size="md" id={titleId}>
        Used in
      </Heading>
      {usageCount === 0 ? (
        <Text color="fg.muted">No flow searches this store yet.</Text>
      ) : (
        <UserList of={{ kind: 'documentStore', asset: id }} />
      )}
      <Box>
        <Collapsible title="Use it in a flow" open={usageCount === 0}>
          <Stack as="ul" listStyleType="disc" gap="1" mt="2" ps="5" color="fg.muted" textStyle="sm">
            <li>
              To let an agent look things up itself, open an Agent node, add a document store under Knowledge, and
              choose “{name}”.
            </li>
            <li>
              To search at a fixed step, add a Retriever node, choose “{name}”, and use its output in the step that
              follows.
            </li>
          </Stack>
        </Collapsible>
      </Box>
    </Stack>
  )
}

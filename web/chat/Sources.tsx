import { Box, chakra, Link, Stack, Text } from '@chakra-ui/react'
import { useContext } from 'react'
import { type CitedDocument, oncePerAddress, readOrigin } from '#contract/runs/sources.ts'
import { ChatLook } from './chat-look.ts'

/** The documents that an answer is based on, folded under it: one for each address. Their texts are shown as they are. */
export default function Sources({ documents: cited }: { documents: readonly CitedDocument[] }) {
  const { sourcesTitle } = useContext(ChatLook)
  const documents = oncePerAddress(cited)
  const count = documents.length === 1 ? '1 source' : `${documents.length} sources`
  return (
    <chakra.details fontSize="sm" color="fg.muted">
      <chakra.summary cursor="pointer" minH="6">
        {sourcesTitle ? `${sourcesTitle} (${documents.length})` : count}
      </chakra.summary>
      <Stack as="ol" aria-label="Sources" listStyleType="none" gap="2" mt="1">
        {documents.map((document, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the documents of an answer do not change
          <Box as="li" key={index}>
            <Source document={document} number={index + 1} />
          </Box>
        ))}
      </Stack>
    </chakra.details>
  )
}

function Source({ document, number }: { document: CitedDocument; number: number }) {
  const { name, page, url } = readOrigin(document.metadata)
  const label = name ?? `Source ${number}`
  return (
    <chakra.details bg="bg.muted" borderRadius="lg" px="3" py="2">
      <chakra.summary cursor="pointer" minH="6" color="fg" overflowWrap="anywhere">
        {label}
        {page !== undefined && `, page ${page}`}
      </chakra.summary>
      <Text fontSize="xs" whiteSpace="pre-wrap" overflowWrap="anywhere" maxH="16rem" overflowY="auto" tabIndex={0}>
        {document.pageContent}
      </Text>
      {url && (
        <Link href={url} target="_blank" rel="noreferrer noopener" variant="underline" fontSize="xs">
          Open {label}
        </Link>
      )}
    </chakra.details>
  )
}

import { Box, Button, Flex, Heading, Input, Link, Skeleton, Stack, Text } from '@chakra-ui/react'
import { IconBraces } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { OpenApiDocument } from '#contract/openapi.ts'
import { apiBase, apiOrigin } from '../../api/client.ts'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { CallCard } from './CallCard.tsx'
import { type CallGroup, groupByArea, searchCalls } from './calls.ts'
import { apiDocumentQuery } from './queries.ts'

interface ApiDocsPageProps {
  /** The operation in the URL hash. */
  selected: string
  onSelect: (operationId: string) => void
}

const DOCUMENT = `${apiOrigin}/api/v1/openapi.json`

/** The API reference, rendered from the OpenAPI document. */
export function ApiDocsPage({ selected, onSelect }: ApiDocsPageProps) {
  const query = useQuery(apiDocumentQuery)
  return (
    <Stack gap="6" maxW="6xl" mx="auto" p={{ base: '4', md: '8' }}>
      <PageTitle
        title="API reference"
        purpose="Everything you can do in the app, programs can do with an API key."
        actions={
          <Button asChild variant="outline">
            <a href={DOCUMENT}>
              <IconBraces aria-hidden />
              OpenAPI document
            </a>
          </Button>
        }
      />
      {query.data ? (
        <Calls document={query.data} selected={selected} onSelect={onSelect} />
      ) : query.error ? (
        <ErrorState
          title="Couldn’t load the API reference"
          text={query.error.message}
          onRetry={() => query.refetch()}
        />
      ) : (
        <Stack gap="3" role="status" aria-label="Loading the API reference">
          <Skeleton h="10" />
          <Skeleton h="64" />
        </Stack>
      )}
    </Stack>
  )
}

function Calls({ document, selected, onSelect }: ApiDocsPageProps & { document: OpenApiDocument }) {
  const [search, setSearch] = useState('')
  const groups = useMemo(() => groupByArea(document), [document])
  const found = searchCalls(groups, search)
  const count = found.reduce((sum, { calls }) => sum + calls.length, 0)
  useScrollTo(selected)
  return (
    <>
      <Access />
      <Flex gap="3" align="center" wrap="wrap">
        <Input
          type="search"
          maxW="md"
          aria-label="Search endpoints"
          placeholder="Search endpoints"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <Text role="status" color="fg.muted" textStyle="sm">
          {count === 1 ? '1 endpoint' : `${count} endpoints`}
        </Text>
      </Flex>
      <Flex gap="8" align="start">
        <AreaLinks groups={found} />
        <Stack gap="8" flex="1" minW="0">
          {found.map(({ name, calls }) => (
            <Stack key={name} as="section" gap="3" aria-labelledby={headingId(name)}>
              <Heading as="h2" size="lg" id={headingId(name)} scrollMarginTop="4">
                {name}
              </Heading>
              {calls.map((call) => (
                <CallCard
                  key={call.operationId}
                  call={call}
                  components={document.components.schemas}
                  server={apiBase() + (document.servers[0]?.url ?? '')}
                  isSelected={call.operationId === selected}
                  onSelect={() => onSelect(call.operationId)}
                />
              ))}
            </Stack>
          ))}
          {count === 0 && <Text color="fg.muted">No endpoints match “{search}”.</Text>}
        </Stack>
      </Flex>
    </>
  )
}

function Access() {
  return (
    <Text color="fg.muted" maxW="3xl">
      Create a key under{' '}
      <Link href="/apikey" color="accent.fg" textDecoration="underline">
        API keys
      </Link>{' '}
      and send it as <code>Authorization: Bearer &lt;API key&gt;</code>. A key has the permissions you choose for it.
      Errors are JSON with a <code>message</code> and, for invalid fields, a <code>field</code>.
    </Text>
  )
}

const headingId = (name: string) => `area-${name.toLowerCase().replaceAll(' ', '-')}`

function AreaLinks({ groups }: { groups: readonly CallGroup[] }) {
  return (
    <Box
      as="nav"
      aria-label="Areas"
      display={{ base: 'none', lg: 'block' }}
      position="sticky"
      top="6"
      w="44"
      flex="none"
    >
      <Stack gap="1">
        {groups.map(({ name }) => (
          <Link
            key={name}
            href={`#${headingId(name)}`}
            minH="6"
            textStyle="sm"
            onClick={(event) => {
              event.preventDefault()
              window.document.getElementById(headingId(name))?.scrollIntoView()
            }}
          >
            {name}
          </Link>
        ))}
      </Stack>
    </Box>
  )
}

/** Scrolls once to the endpoint in the URL. */
function useScrollTo(operationId: string): void {
  const [first] = useState(operationId)
  useEffect(() => {
    if (first) window.document.getElementById(first)?.scrollIntoView()
  }, [first])
}

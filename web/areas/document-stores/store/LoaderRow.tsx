import { Box, Button, chakra, Flex, Stack, Text, Link as TextLink } from '@chakra-ui/react'
import { IconList, IconPencil, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import type { DocumentJob } from '#contract/document-stores/jobs.ts'
import type { DocumentLoader } from '#contract/document-stores/loaders.ts'
import { useCan } from '../../../api/use-can.ts'
import { deleteAsset } from '../../../state/delete-asset.ts'
import { Collapsible } from '../../../ui/Collapsible.tsx'
import { RowMenu } from '../../../ui/lists/RowMenu.tsx'
import { applyJobAction, deleteLoader, processLoader } from '../api.ts'
import { attempt } from '../shared/actions.ts'
import { isOpen, retryableJob } from '../shared/job-state.ts'
import { LoaderIcon } from '../shared/LoaderIcon.tsx'
import { chunksLink, loaderLink } from '../shared/links.ts'
import { StateBadge } from '../shared/StateBadge.tsx'
import { loaderWords } from '../shared/state-words.ts'
import { withCount } from '../shared/with-count.ts'

interface Props {
  loader: DocumentLoader
  storeId: string
  /** Jobs of the store, newest first. */
  jobs: readonly DocumentJob[]
}

/** A loader: what it reads, how that went, and what can be done with it. */
export function LoaderRow({ loader, storeId, jobs }: Props) {
  const { id, loaderId, loaderName, source, totalChunks, filesTotal } = loader
  const words = loaderWords(loader, jobs)
  return (
    <Box as="li" px="4" py="3" _notFirst={{ borderTopWidth: '1px' }}>
      <Flex gap="3" align="start">
        <LoaderIcon name={loaderId} />
        <Stack gap="1" flex="1" minW="0">
          <Flex gap="2" align="center" wrap="wrap">
            <Text fontWeight="medium">{loaderName}</Text>
            <StateBadge words={words} />
          </Flex>
          {source && (
            <Text textStyle="sm" color="fg.muted" lineClamp="2" overflowWrap="anywhere" title={source}>
              {source}
            </Text>
          )}
          <Text textStyle="sm" color="fg.muted">
            {totalChunks > 0 ? (
              <TextLink asChild color="fg.muted" textDecoration="underline">
                <Link {...chunksLink(storeId, id)}>{withCount(totalChunks, 'chunk')}</Link>
              </TextLink>
            ) : (
              'No chunks'
            )}
            {filesTotal > 0 && ` of ${withCount(filesTotal, 'file')}`}
          </Text>
          {words.text && (
            <Text textStyle="sm" color="fg.muted" overflowWrap="anywhere">
              {words.text}
            </Text>
          )}
          <Conflicts loader={loader} storeId={storeId} />
          <FailedFiles loader={loader} storeId={storeId} jobs={jobs} />
        </Stack>
        <Menu loader={loader} storeId={storeId} jobs={jobs} />
      </Flex>
    </Box>
  )
}

function Menu({ loader, storeId, jobs }: Props) {
  const can = useCan()
  const navigate = useNavigate()
  const { id, loaderId, loaderName, totalChunks } = loader
  const mayUpdate = can('documentStores:update')
  return (
    <RowMenu
      of={loaderName}
      actions={[
        ...(mayUpdate
          ? [{ label: 'Edit', icon: IconPencil, onSelect: () => void navigate(loaderLink(storeId, loaderId, id)) }]
          : []),
        ...(mayUpdate && !isTaken(loader, jobs)
          ? [{ label: 'Process', icon: IconPlayerPlay, onSelect: () => void process(storeId, loader) }]
          : []),
        ...(totalChunks > 0
          ? [{ label: 'View chunks', icon: IconList, onSelect: () => void navigate(chunksLink(storeId, id)) }]
          : []),
        ...(can('documentStores:delete')
          ? [
              {
                label: 'Delete',
                icon: IconTrash,
                danger: true,
                onSelect: () => void confirmDeleteLoader(storeId, loader),
              },
            ]
          : []),
      ]}
    />
  )
}

/** True while a job reads it or waits to. */
const isTaken = ({ id }: DocumentLoader, jobs: readonly DocumentJob[]) =>
  jobs.some(
    (job) => isOpen(job) && job.kind !== 'upsert' && job.kind !== 'index' && (job.docId === null || job.docId === id),
  )

const process = (storeId: string, { id, loaderName }: DocumentLoader) =>
  attempt(`process “${loaderName}”`, () => processLoader(storeId, id))

/** Reads the failed files only, where a job knows them. */
const tryAgain = (storeId: string, loader: DocumentLoader, jobs: readonly DocumentJob[]) => {
  const job = retryableJob(jobs, loader.id)
  return job ? attempt('try again', () => applyJobAction(job.id, 'retry')) : process(storeId, loader)
}

const confirmDeleteLoader = (storeId: string, { id, loaderName, totalChunks }: DocumentLoader) =>
  deleteAsset({
    name: loaderName,
    description: `Its files and ${withCount(totalChunks, 'chunk')} are deleted too. This can’t be undone.`,
    remove: () => deleteLoader(storeId, id),
  })

/** Edits of chunks whose source changed since: they stay until a person decides. */
function Conflicts({ loader: { id, conflicts }, storeId }: Pick<Props, 'loader' | 'storeId'>) {
  if (conflicts === 0) return null
  return (
    <TextLink asChild textStyle="sm" color="fg.warning" textDecoration="underline" alignSelf="start" minH="6">
      <Link {...chunksLink(storeId, id, { conflicts: true })}>{withCount(conflicts, 'edit')} to decide</Link>
    </TextLink>
  )
}

function FailedFiles({ loader, storeId, jobs }: Props) {
  const mayUpdate = useCan()('documentStores:update')
  const { files, filesFailed, loaderName } = loader
  if (filesFailed === 0) return null
  const failed = files.filter(({ status }) => status === 'FAILED')
  return (
    <Box>
      <Collapsible title={`${withCount(filesFailed, 'file')} not read`} open={filesFailed <= 3}>
        <Stack as="ul" gap="1" my="1" listStyleType="none">
          {failed.map(({ id, name, error }) => (
            <Text key={id} as="li" textStyle="sm" overflowWrap="anywhere">
              <chakra.span fontWeight="medium">{name}</chakra.span>
              <chakra.span color="fg.error">: {error ?? 'It could not be read.'}</chakra.span>
            </Text>
          ))}
          {filesFailed > failed.length && failed.length > 0 && (
            <Text as="li" textStyle="sm" color="fg.muted">
              and {filesFailed - failed.length} more
            </Text>
          )}
        </Stack>
      </Collapsible>
      {mayUpdate && !isTaken(loader, jobs) && (
        <Button
          size="xs"
          mt="1"
          variant="outline"
          aria-label={`Try again: ${loaderName}`}
          onClick={() => void tryAgain(storeId, loader, jobs)}
        >
          Try again
        </Button>
      )}
    </Box>
  )
}

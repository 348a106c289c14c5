import { Box, Link as ChakraLink, Text } from '@chakra-ui/react'
import { IconDownload, IconEye, IconTrash } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import { flowPermissions } from '#contract/access/callers.ts'
import { formatFileSize } from '#contract/data/format.ts'
import { ANONYMOUS_FILE_DAYS, type FileList, type StoredFile } from '#contract/files/files.ts'
import { flowPage } from '../../api/flow-link.ts'
import { useCan } from '../../api/use-can.ts'
import { deleteAsset } from '../../state/delete-asset.ts'
import { ListPage } from '../../ui/lists/ListPage.tsx'
import { NameButton } from '../../ui/lists/NameButton.tsx'
import { RowMenu } from '../../ui/lists/RowMenu.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { FilePreview } from './FilePreview.tsx'
import { type FileOwner, whatFollows } from './file-owner.ts'
import { contentUrl, deleteFile, filesQuery } from './queries.ts'

/** The files that the workspace stores, and how much of its quota they use. */
export function FilesPage() {
  const can = useCan()
  const [search, setSearch] = useState('')
  const [shown, setShown] = useState<StoredFile>()
  const query = useInfiniteQuery(filesQuery(useDeferredValue(search.trim())))
  const usage = query.data?.pages[0]
  const actionsOf = (file: StoredFile) => [
    { label: 'Preview', icon: IconEye, onSelect: () => setShown(file) },
    { label: 'Download', icon: IconDownload, onSelect: () => download(file) },
    ...(mayDelete(file, can)
      ? [{ label: 'Delete', icon: IconTrash, danger: true, onSelect: () => confirmDelete(file) }]
      : []),
  ]
  return (
    <>
      <ListPage
        title="Files"
        purpose="Uploads from chats, flows and document stores. Files are deleted with their owner."
        noun="files"
        below={usage && <Quota {...usage} />}
        list={{
          rows: query.data?.pages.flatMap(({ data }) => data),
          error: query.error,
          retry: () => void query.refetch(),
          ...(query.hasNextPage && { loadMore: () => void query.fetchNextPage() }),
          loadingMore: query.isFetchingNextPage,
        }}
        columns={[
          {
            header: 'Name',
            wide: true,
            cell: (file) => <NameButton name={file.name} onOpen={() => setShown(file)} />,
          },
          { header: 'Belongs to', cell: ({ owner }) => <Owner owner={owner} /> },
          { header: 'Size', cell: ({ size }) => formatFileSize(size), minor: true },
          { header: 'Type', cell: ({ mime }) => mime, minor: true },
          { header: 'Added', cell: ({ createdDate }) => <RelativeTime date={createdDate} />, minor: true },
          { header: 'Actions', quiet: true, cell: (file) => <RowMenu of={file.name} actions={actionsOf(file)} /> },
        ]}
        search={{ value: search, onChange: setSearch }}
        empty={{
          title: 'No files yet',
          text: 'Files appear here when people send them in a chat, or choose them in a flow or a document store.',
        }}
      />
      {shown && <FilePreview file={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}

/** Browsers save the file, because it is sent as an attachment. */
function download(file: StoredFile): void {
  const link = document.createElement('a')
  link.href = contentUrl(file, { download: true })
  link.download = file.name
  link.click()
}

/** The permissions of the flow's type, or of document stores. */
function mayDelete({ owner }: StoredFile, can: (permission: string) => boolean): boolean {
  return can(owner.kind === 'flow' ? flowPermissions([owner.type], 'update') : 'documentStores:update')
}

const confirmDelete = (file: StoredFile) =>
  deleteAsset({
    name: file.name,
    description: `${whatFollows(file.owner)} It cannot be restored.`,
    remove: () => deleteFile(file),
  })

function Owner({ owner }: { owner: FileOwner }) {
  const link = ownerLink(owner)
  return (
    <>
      {link ? (
        <ChakraLink asChild py="1" overflowWrap="anywhere">
          <Link {...link}>{owner.name}</Link>
        </ChakraLink>
      ) : (
        <Text overflowWrap="anywhere">{owner.name}</Text>
      )}
      {owner.kind === 'documentStore' && (
        <Text textStyle="sm" color="fg.muted" overflowWrap="anywhere">
          {owner.loader?.name ?? 'No loader'}
        </Text>
      )}
    </>
  )
}

const ownerLink = (owner: FileOwner) =>
  owner.kind === 'flow'
    ? flowPage(owner.type, owner.id)
    : ({ to: '/document-stores/$storeId', params: { storeId: owner.id } } as const)

function Quota({ usedBytes, quotaBytes, anonymousBytes, anonymousQuotaBytes, total, ...records }: FileList) {
  const { recordsBytes, recordsQuotaBytes } = records
  const text = `${formatFileSize(usedBytes)} of ${formatFileSize(quotaBytes)} used`
  return (
    <Box mb="6" maxW="md">
      <Text textStyle="sm" color="fg.muted">
        Files: {text} · {total === 1 ? '1 file' : `${total} files`}
      </Text>
      {anonymousBytes > 0 && (
        <Text textStyle="sm" color="fg.muted">
          {formatFileSize(anonymousBytes)} of {formatFileSize(anonymousQuotaBytes)} from visitors without an API key.
          These files are deleted after {ANONYMOUS_FILE_DAYS} days.
        </Text>
      )}
      <Meter label="Storage" text={text} share={usedBytes / quotaBytes} />
      <Records recordsBytes={recordsBytes} recordsQuotaBytes={recordsQuotaBytes} />
    </Box>
  )
}

/** Runs are never refused to members, so they are told in time. */
function Records({ recordsBytes, recordsQuotaBytes }: Pick<FileList, 'recordsBytes' | 'recordsQuotaBytes'>) {
  const size = formatFileSize(recordsBytes)
  const share = recordsQuotaBytes === null ? 0 : recordsBytes / recordsQuotaBytes
  const text = recordsQuotaBytes === null ? `${size} used` : `${size} of ${formatFileSize(recordsQuotaBytes)} used`
  return (
    <Box mt="3">
      <Text textStyle="sm" color="fg.muted">
        Runs and messages: {text}
      </Text>
      {recordsQuotaBytes !== null && <Meter label="Runs and messages" text={text} share={share} />}
      {share > ALMOST_FULL && (
        <Text textStyle="sm" color="fg.error" role="status" mt="1">
          {share >= 1
            ? 'Calls without an API key are refused.'
            : 'Calls without an API key will be refused once it is full.'}{' '}
          Delete runs, or keep them for fewer days.
        </Text>
      )}
    </Box>
  )
}

const ALMOST_FULL = 0.9

interface MeterProps {
  label: string
  text: string
  /** 1 is full. */
  share: number
}

function Meter({ label, text, share }: MeterProps) {
  const percent = Math.min(100, share * 100)
  return (
    <Box
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(percent)}
      aria-valuetext={text}
      mt="1"
      h="2"
      borderRadius="full"
      bg="bg.emphasized"
      overflow="hidden"
    >
      <Box h="full" bg={share > ALMOST_FULL ? 'danger.solid' : 'accent.solid'} style={{ width: `${percent}%` }} />
    </Box>
  )
}

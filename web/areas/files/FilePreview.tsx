import { Button, chakra, Spinner, Text } from '@chakra-ui/react'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { formatFileSize } from '#contract/data/format.ts'
import type { StoredFile } from '#contract/files/files.ts'
import { isAudio, isImage, isTextFile } from '#contract/predictions/uploads.ts'
import { ContentDialog } from '../../ui/feedback/ContentDialog.tsx'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { TextBlock } from '../../ui/TextBlock.tsx'
import { contentUrl, textQuery } from './queries.ts'

/** Characters of a text that are shown. */
const SHOWN_CHARACTERS = 100_000

/** Shows images and texts, and offers everything as a download. */
export function FilePreview({ file, onClose }: { file: StoredFile; onClose(): void }) {
  return (
    <ContentDialog
      title={file.name}
      size="lg"
      onClose={onClose}
      footer={
        <Button asChild variant="outline">
          <a href={contentUrl(file, { download: true })} download={file.name}>
            <IconDownload aria-hidden />
            Download
          </a>
        </Button>
      }
    >
      <Content file={file} />
      <Text mt="3" textStyle="sm" color="fg.muted" overflowWrap="anywhere">
        {formatFileSize(file.size)} · {file.mime} · {file.owner.name}
      </Text>
    </ContentDialog>
  )
}

function Content({ file }: { file: StoredFile }) {
  if (isImage(file.mime)) return <chakra.img src={contentUrl(file)} alt={file.name} maxW="full" maxH="60vh" mx="auto" />
  if (isAudio(file.mime)) return <Text>Download this recording to listen to it.</Text>
  if (isTextFile(file)) return <TextContent file={file} />
  return <Text>Files of this type have no preview. Download it to open it.</Text>
}

function TextContent({ file }: { file: StoredFile }) {
  const { data, error, refetch } = useQuery(textQuery(file))
  if (error) return <ErrorState title="Couldn’t load the file" text={error.message} onRetry={() => void refetch()} />
  if (data === undefined) return <Spinner aria-label="Loading the file" />
  const isCut = data.length > SHOWN_CHARACTERS
  return (
    <>
      <TextBlock label={`Content of ${file.name}`} text={data.slice(0, SHOWN_CHARACTERS)} />
      {isCut && (
        <Text mt="2" textStyle="sm" color="fg.muted">
          Only the beginning is shown.
        </Text>
      )}
    </>
  )
}

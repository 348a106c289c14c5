import { Button, Field, Flex, IconButton, Stack, Text } from '@chakra-ui/react'
import { IconFile, IconUpload, IconX } from '@tabler/icons-react'
import { type DragEvent, useState } from 'react'
import { formatFileSize } from '#contract/data/format.ts'
import type { InputParam } from '#contract/flow/params/definition.ts'
import { ProgressBar } from '../../../ui/feedback/ProgressBar.tsx'
import { FilePicker } from '../../../ui/forms/FilePicker.tsx'
import type { Sending, SentFiles } from './use-sent-files.ts'

interface Props {
  param: InputParam
  files: SentFiles
  error: string | undefined
}

/** Files of a loader: dropped or chosen, and sent at once. */
export function FilesField({ param, files: { names, sending, add, remove, cancel, retry }, error }: Props) {
  return (
    <Field.Root invalid={error !== undefined} data-param={param.name}>
      <Text as="span" fontSize="sm" fontWeight="medium">
        {param.label}
        {!param.optional && (
          <Text as="span" color="fg.error" aria-hidden>
            {' *'}
          </Text>
        )}
      </Text>
      <Stack w="full" gap="2">
        <DropArea param={param} isInvalid={error !== undefined} onFiles={add} />
        {names.length + sending.length > 0 && (
          <Stack as="ul" aria-label="Files" listStyleType="none" gap="1">
            {names.map((name) => (
              <li key={name}>
                <Row name={name} onRemove={() => remove(name)} />
              </li>
            ))}
            {sending.map((each) => (
              <li key={each.key}>
                <SendingRow sending={each} onRemove={() => cancel(each.key)} onRetry={() => retry(each.key)} />
              </li>
            ))}
          </Stack>
        )}
      </Stack>
      {error && <Field.ErrorText>{error}</Field.ErrorText>}
    </Field.Root>
  )
}

interface DropAreaProps {
  param: InputParam
  isInvalid: boolean
  onFiles(files: readonly File[]): void
}

function DropArea({ param: { label, fileType }, isInvalid, onFiles }: DropAreaProps) {
  const [isOver, setOver] = useState(false)
  const accept = fileType === '*' ? undefined : fileType
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    onFiles([...event.dataTransfer.files])
  }
  return (
    <Flex
      direction="column"
      align="center"
      gap="2"
      p="5"
      borderWidth="1px"
      borderStyle="dashed"
      borderRadius="l3"
      borderColor={isOver ? 'accent.solid' : isInvalid ? 'border.error' : 'border.emphasized'}
      bg={isOver ? 'accent.subtle' : 'bg.panel'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <FilePicker label={label} accept={accept} onFiles={onFiles}>
        {(open) => (
          <Button size="sm" variant="outline" onClick={open}>
            <IconUpload size={16} aria-hidden /> Choose files
          </Button>
        )}
      </FilePicker>
      <Text textStyle="sm" color="fg.muted" textAlign="center">
        or drop them here{accept ? `: ${accept}` : ''}
      </Text>
    </Flex>
  )
}

interface SendingRowProps {
  sending: Sending
  onRemove(): void
  onRetry(): void
}

function SendingRow({ sending: { file, part, error }, onRemove, onRetry }: SendingRowProps) {
  const percent = Math.round(part * 100)
  if (error) {
    return (
      <>
        <Row name={file.name} onRemove={onRemove} />
        <Flex gap="2" align="center" ms="6">
          <Text textStyle="xs" color="fg.error" role="alert" overflowWrap="anywhere">
            {error}
          </Text>
          <Button size="2xs" variant="outline" aria-label={`Try again: ${file.name}`} onClick={onRetry}>
            Try again
          </Button>
        </Flex>
      </>
    )
  }
  return (
    <>
      <Row name={file.name} detail={`${percent}% of ${formatFileSize(file.size)}`} onRemove={onRemove} />
      <ProgressBar thin label={`Sending ${file.name}`} percent={percent} />
    </>
  )
}

function Row({ name, detail, onRemove }: { name: string; detail?: string; onRemove(): void }) {
  return (
    <Flex align="center" gap="2">
      <IconFile size={16} aria-hidden />
      <Text textStyle="sm" truncate flex="1" title={name}>
        {name}
      </Text>
      {detail && (
        <Text textStyle="xs" color="fg.muted">
          {detail}
        </Text>
      )}
      <IconButton size="xs" variant="ghost" aria-label={`Remove ${name}`} onClick={onRemove}>
        <IconX size={16} />
      </IconButton>
    </Flex>
  )
}

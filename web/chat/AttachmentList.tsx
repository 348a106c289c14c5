import { Flex, IconButton, Text } from '@chakra-ui/react'
import { IconX } from '@tabler/icons-react'
import { formatFileSize } from '#contract/data/format.ts'
import type { Attachment } from './attachments.ts'

interface AttachmentListProps {
  attachments: readonly Attachment[]
  onRemove: (id: string) => void
}

/** The files attached to the next question. */
export function AttachmentList({ attachments, onRemove }: AttachmentListProps) {
  if (attachments.length === 0) return null
  return (
    <Flex as="ul" aria-label="Attached files" gap="2" wrap="wrap" listStyleType="none">
      {attachments.map(({ id, size, upload }) => (
        <Flex
          as="li"
          key={id}
          align="center"
          gap="1"
          ps="3"
          maxW="full"
          borderWidth="1px"
          borderRadius="full"
          textStyle="sm"
        >
          <Text truncate>{upload.name}</Text>
          <Text color="fg.muted" flexShrink="0">
            {formatFileSize(size)}
          </Text>
          <IconButton aria-label={`Remove ${upload.name}`} size="xs" variant="ghost" onClick={() => onRemove(id)}>
            <IconX size={14} />
          </IconButton>
        </Flex>
      ))}
    </Flex>
  )
}

import { Box, Flex, Image, Link } from '@chakra-ui/react'
import { IconFile } from '@tabler/icons-react'
import { useContext } from 'react'
import { Decision } from './approvals/Decision.tsx'
import { Bubble } from './Bubble.tsx'
import { ChatLook } from './chat-look.ts'
import type { Turn, TurnFile } from './conversation.ts'

/** A question with its files, or a person's decision. */
export function QuestionView({ question, files = [], decision }: Pick<Turn, 'question' | 'files' | 'decision'>) {
  const { question: look } = useContext(ChatLook)
  const hasWords = question.trim() !== ''
  if (!hasWords && files.length === 0) return null
  return (
    <Bubble look={look} alignSelf="flex-end" bg="accent.subtle" px="4" py="2" ms="8" maxW="full">
      {files.map((file) => (
        <FileView key={file.upload.name} file={file} />
      ))}
      {decision && <Decision approval={decision} />}
      {hasWords && !decision && (
        <Box whiteSpace="pre-wrap" overflowWrap="anywhere">
          {question}
        </Box>
      )}
    </Bubble>
  )
}

function FileView({ file: { upload, src } }: { file: TurnFile }) {
  const { name, mime } = upload
  if (src && mime?.startsWith('image/')) {
    return <Image src={src} alt={name} maxH="48" maxW="full" borderRadius="lg" alignSelf="flex-start" />
  }
  return (
    <Flex align="center" gap="2" overflowWrap="anywhere">
      <IconFile size={16} aria-hidden />
      {src ? (
        <Link href={src} download={name}>
          {name}
        </Link>
      ) : (
        name
      )}
    </Flex>
  )
}

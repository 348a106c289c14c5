import { Box, Flex, Heading, Image, Stack, Text } from '@chakra-ui/react'
import { Bubble } from '../../chat/Bubble.tsx'
import { toLook } from '../../chat/colors.ts'
import { type ChatValues, colorIn, linesOf } from './chat-values.ts'

/** Preview of the chat page with the chosen colors, pictures and texts. */
export function ChatPreview({ chat }: { chat: ChatValues }) {
  const { title, welcome, starters, colors, avatars, footer, company } = chat
  const look = (background: string, text = '', avatar = '') =>
    toLook({
      backgroundColor: colorIn(background),
      textColor: colorIn(text),
      showAvatar: avatar !== '',
      avatarSrc: avatar,
    })
  const bar = look(colors.title, colors.titleText, avatars.title)
  const page = look(colors.page)
  const [starter] = linesOf(starters)
  return (
    <Box
      as="figure"
      aria-label="Preview"
      className={page.mode}
      borderWidth="1px"
      borderRadius="l2"
      overflow="hidden"
      {...(page.background && { bg: page.background, color: page.color })}
    >
      <Flex
        gap="2"
        align="center"
        px="3"
        py="2"
        borderBottomWidth="1px"
        {...(bar.background && { bg: bar.background, color: bar.color })}
      >
        {bar.avatar && <Image src={bar.avatar} alt="" boxSize="6" borderRadius="full" objectFit="cover" />}
        <Heading as="p" size="sm" color="inherit">
          {title || 'Chat'}
        </Heading>
      </Flex>
      <Stack gap="2" p="3" textStyle="sm">
        <Bubble look={look(colors.answer, colors.answerText, avatars.answer)} bg="bg.subtle" px="3" py="2" me="8">
          <Text whiteSpace="pre-wrap">{welcome || 'Hi there! How can I help?'}</Text>
        </Bubble>
        <Bubble
          look={look(colors.question, colors.questionText, avatars.question)}
          bg="accent.subtle"
          alignSelf="flex-end"
          px="3"
          py="2"
          ms="8"
        >
          <Text>{starter ?? 'What are your opening hours?'}</Text>
        </Bubble>
        {(footer || company) && (
          <Text textStyle="xs" textAlign="center">
            {[footer, company].filter(Boolean).join(' ')}
          </Text>
        )}
      </Stack>
    </Box>
  )
}

import { Flex, type FlexProps, Image, Theme } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import type { BubbleLook } from './chat-look.ts'

/** The frame of a message, in the colours that the flow's owner chose. */
export function Bubble({ look, children, ...props }: FlexProps & { look: BubbleLook; children: ReactNode }) {
  const { background, color, mode, avatar } = look
  const frame = (
    <Flex
      direction="column"
      gap="2"
      borderRadius="xl"
      minW="0"
      {...props}
      {...(background && { bg: background, color })}
    >
      {children}
    </Flex>
  )
  const themed = mode ? (
    <Theme appearance={mode} hasBackground={false} display="contents">
      {frame}
    </Theme>
  ) : (
    frame
  )
  if (!avatar) return themed
  return (
    <Flex gap="2" align="start" alignSelf={props.alignSelf} maxW="full" minW="0">
      <Image src={avatar} alt="" boxSize="8" borderRadius="full" objectFit="cover" flex="none" mt="1" />
      {themed}
    </Flex>
  )
}

import { Flex, Text } from '@chakra-ui/react'

/** The logo, which follows the color mode. */
export function Logo() {
  return (
    <Flex as="span" align="center" gap="2" color="accent.fg">
      <svg width="28" height="28" viewBox="0 0 28 28" fill="none" aria-hidden="true">
        <path d="M6 3v22M14 3v8m0 6v8M22 3v22" stroke="currentColor" strokeWidth="2.5" strokeLinecap="round" />
        <path d="M2 14c4-6 7-6 12 0s8 6 12 0" stroke="currentColor" strokeWidth="2.5" strokeLinecap="round" />
      </svg>
      <Text as="span" fontWeight="bold" fontSize="lg" letterSpacing="tight" color="fg">
        Heddle
      </Text>
    </Flex>
  )
}

import { Button, Flex, Text } from '@chakra-ui/react'

interface PagerProps {
  page: number
  last: number
  /** There may be pages after the last that was counted. */
  isOpenEnded?: boolean
  /** Button labels, such as `['Newer', 'Older']`. */
  words: [back: string, on: string]
  onPage: (page: number) => void
}

export function Pager({ page, last, isOpenEnded, words: [back, on], onPage }: PagerProps) {
  return (
    <Flex as="nav" aria-label="Pages" justify="center" align="center" gap="4">
      <Button size="sm" variant="outline" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        {back}
      </Button>
      <Text color="fg.muted">
        Page {page} of {last}
        {isOpenEnded && '+'}
      </Text>
      <Button size="sm" variant="outline" disabled={page >= last} onClick={() => onPage(page + 1)}>
        {on}
      </Button>
    </Flex>
  )
}

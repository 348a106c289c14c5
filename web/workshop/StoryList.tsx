import { Box, Button, Flex, Heading, Input, Stack } from '@chakra-ui/react'
import { useEffect, useState } from 'react'
import { setMode } from '../api/stored-appearance.ts'

export interface ListedStory {
  /** `ui/feedback/EmptyState` */
  file: string
  name: string
  /** Its number among all stories. */
  index: number
}

/** All stories by file, and the chosen one in a frame of its own, in light or dark, wide or as on a phone. */
export function StoryList({ stories }: { stories: readonly ListedStory[] }) {
  const [chosen, setChosen] = useState(() => Number(location.hash.slice(1)) || 0)
  const [isDark, setIsDark] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches)
  const [isPhone, setIsPhone] = useState(false)
  const [search, setSearch] = useState('')
  useEffect(() => setMode(isDark), [isDark])
  useEffect(() => history.replaceState(null, '', `#${chosen}`), [chosen])

  const found = stories.filter(({ file, name }) => `${file} ${name}`.toLowerCase().includes(search.toLowerCase()))
  const files = Map.groupBy(found, ({ file }) => file)
  return (
    <Flex h="100dvh">
      <Stack as="nav" aria-label="Stories" w="sm" p="4" gap="4" overflowY="auto" borderEndWidth="1px" flexShrink="0">
        <Heading as="h1" size="md">
          Workshop
        </Heading>
        <Input
          aria-label="Search stories"
          placeholder="Search"
          value={search}
          onChange={(e) => setSearch(e.target.value)}
        />
        <Flex gap="2">
          <Button size="xs" variant="outline" aria-pressed={isDark} onClick={() => setIsDark(!isDark)}>
            Dark
          </Button>
          <Button size="xs" variant="outline" aria-pressed={isPhone} onClick={() => setIsPhone(!isPhone)}>
            Phone
          </Button>
        </Flex>
        {[...files].map(([file, own]) => (
          <Box key={file}>
            <Heading as="h2" size="xs" color="fg.muted">
              {file}
            </Heading>
            {own.map(({ name, index }) => (
              <Button
                key={index}
                variant={index === chosen ? 'subtle' : 'ghost'}
                aria-current={index === chosen}
                size="xs"
                w="full"
                h="auto"
                py="1"
                justifyContent="start"
                textAlign="start"
                whiteSpace="normal"
                onClick={() => setChosen(index)}
              >
                {name}
              </Button>
            ))}
          </Box>
        ))}
      </Stack>
      <Box
        key={`${chosen}-${isDark}`}
        asChild
        h="full"
        mx="auto"
        w={isPhone ? '390px' : 'full'}
        borderInlineWidth={isPhone ? '1px' : 0}
      >
        <iframe title="Story" src={`?story=${chosen}${isDark ? '&dark' : ''}`} />
      </Box>
    </Flex>
  )
}

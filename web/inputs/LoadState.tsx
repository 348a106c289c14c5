import { Button, Flex, Text } from '@chakra-ui/react'
import { IconRefresh } from '@tabler/icons-react'
import type { LoadedOptions } from './useOptions.ts'

interface Props {
  loaded: LoadedOptions
  /** The list may have changed outside: it can be asked for again without a failure. */
  refreshes: boolean
}

/** Below a list that is loaded: why there is none, and the way to ask for it again. */
export function LoadState({ loaded: { error, loading, reload, missing }, refreshes }: Props) {
  if (missing !== undefined) {
    return (
      <Text fontSize="xs" color="fg.muted" mt="1">
        Fill in “{missing}” first, then the choices are loaded.
      </Text>
    )
  }
  if (!reload || (error === undefined && !refreshes)) return null
  return (
    <Flex align="center" gap="2" mt="1">
      <Text fontSize="xs" color="fg.error" flex="1" overflowWrap="anywhere" role={error ? 'alert' : undefined}>
        {error && `The choices could not be loaded: ${error}`}
      </Text>
      <Button size="2xs" variant="outline" flex="none" loading={loading} onClick={reload}>
        <IconRefresh size={14} aria-hidden /> {error === undefined ? 'Reload' : 'Try again'}
      </Button>
    </Flex>
  )
}

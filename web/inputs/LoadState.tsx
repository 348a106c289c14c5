import { Button, Stack, Text } from '@chakra-ui/react'
import { IconRefresh } from '@tabler/icons-react'
import type { LoadedOptions } from './use-options.ts'

interface Props {
  loaded: LoadedOptions
  /** The list may have changed outside: it can be asked for again without a failure. */
  refreshes: boolean
}

/** Below a list that is loaded: why there is none, and the way to ask for it again. */
export function LoadState({ loaded: { error, loading, reload, hint }, refreshes }: Props) {
  const reloads = reload !== undefined && (error !== undefined || refreshes)
  if (error === undefined && hint === undefined && !reloads) return null
  return (
    <Stack gap="1.5" mt="1.5" align="start">
      {error !== undefined ? (
        <Text fontSize="xs" color="fg.error" overflowWrap="anywhere" role="alert">
          The choices could not be loaded: {error}
        </Text>
      ) : (
        hint && (
          <Text fontSize="xs" color="fg.muted">
            {hint}
          </Text>
        )
      )}
      {reloads && (
        <Button size="2xs" variant="outline" loading={loading} onClick={reload}>
          <IconRefresh size={14} aria-hidden /> {error === undefined ? 'Reload' : 'Try again'}
        </Button>
      )}
    </Stack>
  )
}

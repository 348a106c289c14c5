import { Button, Stack, Text } from '@chakra-ui/react'
import { IconRefresh } from '@tabler/icons-react'
import type { LoadedOptions } from './use-options.ts'

interface Props {
  loaded: LoadedOptions
  /** Offers a reload even without an error. */
  refreshes: boolean
}

/** Error, hint and reload button of a loaded list. */
export function LoadState({ loaded: { error, loading, reload, hint }, refreshes }: Props) {
  const reloads = reload !== undefined && (error !== undefined || refreshes)
  if (error === undefined && hint === undefined && !reloads) return null
  return (
    <Stack gap="1.5" mt="1.5" align="start">
      {error !== undefined ? (
        <Text fontSize="xs" color="fg.error" overflowWrap="anywhere" role="alert">
          Couldn’t load options: {error}
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

import { Link as TextLink } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import { useCan } from '../api/use-can.ts'

/** Opens the chosen document store, or the list of them, beside the page that chooses one. */
export function StoreLink({ chosen }: { chosen: string }) {
  if (!useCan()('documentStores:view')) return null
  const [storeId = ''] = chosen.split(':')
  return (
    <TextLink asChild variant="underline" fontSize="xs" mt="1" minH="6">
      {storeId ? (
        <Link to="/document-stores/$storeId" params={{ storeId }} target="_blank">
          Open store
        </Link>
      ) : (
        <Link to="/document-stores" target="_blank">
          Open document stores
        </Link>
      )}
    </TextLink>
  )
}

import { Link as TextLink } from '@chakra-ui/react'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'

/** Leads from a page of a store back to the store. */
export function BackToStore({ storeId, name }: { storeId: string; name: string | undefined }) {
  return (
    <TextLink asChild textStyle="sm" color="fg.muted" minH="6">
      <Link to="/document-stores/$storeId" params={{ storeId }}>
        <IconArrowLeft size={16} aria-hidden />
        {name || 'Document store'}
      </Link>
    </TextLink>
  )
}

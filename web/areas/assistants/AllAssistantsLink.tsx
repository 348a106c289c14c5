import { Button } from '@chakra-ui/react'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'

/** Above the pages of one kind of assistants. */
export function AllAssistantsLink() {
  return (
    <Button asChild variant="ghost" size="sm" ms="-3" mb="2" color="fg.muted">
      <Link to="/assistants">
        <IconArrowLeft size={16} aria-hidden /> Assistants
      </Link>
    </Button>
  )
}

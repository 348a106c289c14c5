import { Button } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import { Message } from './Message.tsx'

export function NotFoundPage() {
  return (
    <Message title="Page not found" text="There is nothing at this address. It may have moved, or the link is wrong.">
      <Button asChild colorPalette="accent">
        <Link to="/">Go to the start page</Link>
      </Button>
    </Message>
  )
}

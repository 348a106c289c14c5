import { Button } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import { Message } from './Message.tsx'

export function NotFoundPage() {
  return (
    <Message
      title="Page not found"
      text="This page doesn’t exist or has moved. Check the address, or start from the home page."
    >
      <Button asChild colorPalette="accent">
        <Link to="/">Go to home</Link>
      </Button>
    </Message>
  )
}

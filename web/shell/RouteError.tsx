import { Button } from '@chakra-ui/react'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { errorMessage } from '#contract/errors.ts'
import { Message } from './Message.tsx'

/** What a page shows that could not be opened. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = async () => {
    await router.invalidate()
    reset()
  }
  return (
    <Message title="This page could not be opened" text={errorMessage(error)}>
      <Button onClick={retry}>Try again</Button>
    </Message>
  )
}

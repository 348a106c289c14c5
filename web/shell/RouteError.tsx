import { Button } from '@chakra-ui/react'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { errorMessage } from '#contract/errors.ts'
import { Message } from './Message.tsx'

/** Shown when a page fails to load. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = async () => {
    await router.invalidate()
    reset()
  }
  return (
    <Message title="Couldn’t open this page" text={errorMessage(error)}>
      <Button onClick={retry}>Try again</Button>
    </Message>
  )
}

import { Button } from '@chakra-ui/react'
import { errorMessage } from '#contract/errors.ts'
import { Notice } from './Notice.tsx'

/** Says why a part of a page could not be loaded, and loads it again. */
export function RetryNotice({ error, onRetry }: { error: Error; onRetry(): unknown }) {
  return (
    <Notice kind="danger">
      {errorMessage(error)}{' '}
      <Button size="xs" variant="outline" onClick={() => void onRetry()}>
        Try again
      </Button>
    </Notice>
  )
}

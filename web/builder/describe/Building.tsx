import { Button, Flex, Spinner, Text } from '@chakra-ui/react'
import { useEffect, useState } from 'react'
import { ContentDialog } from '../../ui/feedback/ContentDialog.tsx'

/** Progress while the model designs a flow, with a way to cancel. */
export function Building({ onCancel }: { onCancel: () => void }) {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((now) => now + 1), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <ContentDialog
      title="Designing your flow"
      onClose={onCancel}
      footer={
        <Button variant="outline" onClick={onCancel}>
          Cancel
        </Button>
      }
    >
      <Flex align="center" gap="4">
        <Spinner size="lg" color="accent.solid" />
        <Text role="status">
          {seconds < 10 ? 'Choosing and connecting nodes…' : 'Checking and correcting the flow…'}
        </Text>
        <Text color="fg.muted" ms="auto" aria-hidden>
          {seconds} s
        </Text>
      </Flex>
    </ContentDialog>
  )
}

import { Button, Flex } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import { useFlowLists } from '../api/use-flow-types.ts'

/** Leads to the lists of flows that the viewer may see. */
export function FlowListButtons() {
  return (
    <Flex gap="2" wrap="wrap" justify="center">
      {useFlowLists().map(({ text, link }) => (
        <Button key={text} asChild variant="outline">
          <Link {...link}>{text}</Link>
        </Button>
      ))}
    </Flex>
  )
}

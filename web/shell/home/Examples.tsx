import { Box, Button, Card, Flex, SimpleGrid, Text } from '@chakra-ui/react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { errorMessage } from '#contract/errors.ts'
import { flowLink } from '../../api/flow-link.ts'
import { ask } from '../../state/intent.ts'
import { notify } from '../../state/notify.ts'
import { EXAMPLES, type Example } from './examples.ts'
import { Section } from './Section.tsx'

/** Flows to try on a first visit. Each opens on the canvas with its chat. */
export function Examples() {
  const navigate = useNavigate()
  const [busy, setBusy] = useState<string>()
  const open = async (example: Example) => {
    setBusy(example.name)
    try {
      // The rules of flows are loaded when they are needed.
      const { createExample } = await import('./open-example.ts')
      const id = await createExample(example)
      ask('chat')
      await navigate(flowLink('AGENTFLOW', id))
    } catch (error) {
      notify.error(`Couldn’t open the example: ${errorMessage(error)}`)
      setBusy(undefined)
    }
  }
  return (
    <Section title="Three things to try" text="Each runs at once on the practice model. No API key needed.">
      <SimpleGrid columns={{ base: 1, md: 3 }} gap="4">
        {EXAMPLES.map((example) => (
          <Card.Root key={example.name} borderRadius="l3">
            <Card.Body gap="2">
              <Text as="h3" fontWeight="medium">
                {example.name}
              </Text>
              <Text textStyle="sm" color="fg.muted">
                {example.text}
              </Text>
              <Box mt="auto" pt="2" textStyle="sm">
                <Text color="fg.muted">Ask it:</Text>
                <Text>“{example.question}”</Text>
              </Box>
            </Card.Body>
            <Card.Footer>
              <Flex>
                <Button
                  size="sm"
                  variant="outline"
                  loading={busy === example.name}
                  disabled={busy !== undefined}
                  aria-label={`Try ${example.name}`}
                  onClick={() => void open(example)}
                >
                  Try it
                </Button>
              </Flex>
            </Card.Footer>
          </Card.Root>
        ))}
      </SimpleGrid>
    </Section>
  )
}

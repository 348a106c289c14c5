import { Box, Heading, LinkBox, LinkOverlay, SimpleGrid, Stack, Text } from '@chakra-ui/react'
import { type Icon, IconCloud, IconRobot } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { PageTitle } from '../../ui/PageTitle.tsx'

/** The kinds of assistants. */
export function AssistantsPage() {
  return (
    <Stack gap="6">
      <PageTitle title="Assistants" purpose="Set up a model with instructions and tools. No canvas needed." />
      <SimpleGrid columns={{ base: 1, md: 2 }} gap="4">
        <Kind
          to="/assistants/custom"
          icon={IconRobot}
          title="Custom assistants"
          text="Run here, with any model of this workspace. Chat with them, share them, and call them through the API."
        />
        <Kind
          to="/assistants/openai"
          icon={IconCloud}
          title="OpenAI and Azure assistants"
          text="Live in your OpenAI or Azure account. Manage their instructions and tools from here."
        />
      </SimpleGrid>
    </Stack>
  )
}

interface KindProps {
  to: '/assistants/custom' | '/assistants/openai'
  icon: Icon
  title: string
  text: string
}

function Kind({ to, icon: KindIcon, title, text }: KindProps) {
  return (
    <LinkBox
      as="section"
      p="5"
      bg="bg.panel"
      borderWidth="1px"
      borderRadius="l3"
      _hover={{ borderColor: 'border.control' }}
    >
      <Box color="mark.indigo" mb="3">
        <KindIcon size={28} aria-hidden />
      </Box>
      <Heading as="h2" size="md">
        <LinkOverlay asChild>
          <Link to={to}>{title}</Link>
        </LinkOverlay>
      </Heading>
      <Text mt="1" color="fg.muted">
        {text}
      </Text>
    </LinkBox>
  )
}

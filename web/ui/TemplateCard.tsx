import { Badge, Box, Card, Flex, LinkBox, LinkOverlay, Text } from '@chakra-ui/react'
import { IconTool } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { agentflowFacts } from '#contract/flow/kinds/agentflow/facts.ts'
import { factsOf } from '#contract/flow/kinds/facts.ts'
import { flowTypeOf, type GalleryItem, type TemplateType } from '#contract/marketplaces/marketplaces.ts'
import { FlowSketch } from './FlowSketch.tsx'

interface Props {
  template: Pick<GalleryItem, 'id' | 'templateName' | 'description' | 'usecases' | 'badge' | 'sketch' | 'type'>
  menu?: ReactNode
}

/** A template with a picture of its flow; opens its preview. */
export function TemplateCard({ template, menu }: Props) {
  const { id, templateName, description, usecases, badge, sketch, type } = template
  return (
    <LinkBox asChild h="full">
      <Card.Root borderRadius="l3" _hover={{ borderColor: 'accent.border' }}>
        <Card.Body gap="3" p="4">
          {type === 'Tool' ? <ToolPicture /> : <FlowSketch sketch={sketch} />}
          <Flex align="start" justify="space-between" gap="2">
            <LinkOverlay asChild fontWeight="medium" overflowWrap="anywhere" lineClamp="2">
              <Link to="/v2/marketplace/$id" params={{ id }}>
                {templateName}
              </Link>
            </LinkOverlay>
            {menu && (
              <Box position="relative" zIndex="1" mt="-1.5" me="-2">
                {menu}
              </Box>
            )}
          </Flex>
          {description && (
            <Text textStyle="sm" color="fg.muted" lineClamp="3" overflowWrap="anywhere">
              {description}
            </Text>
          )}
          <Flex mt="auto" gap="2" wrap="wrap">
            {badge && <Badge colorPalette="accent">{badge}</Badge>}
            {flowTypeOf(type) !== agentflowFacts.type && <Badge>{templateTypeName(type)}</Badge>}
            {usecases.map((usecase) => (
              <Badge key={usecase} variant="outline" maxW="full" overflowWrap="anywhere" whiteSpace="normal">
                {usecase}
              </Badge>
            ))}
          </Flex>
        </Card.Body>
      </Card.Root>
    </LinkBox>
  )
}

/** In the place of the sketch that templates of flows have. */
const ToolPicture = () => (
  <Flex h="24" align="center" justify="center" bg="bg.subtle" borderRadius="l2" color="fg.muted">
    <IconTool size={32} stroke={1.5} aria-hidden />
  </Flex>
)

/** Returns what people call a type of templates. */
export function templateTypeName(template: TemplateType): string {
  const type = flowTypeOf(template)
  return type ? factsOf(type).label : 'Tool'
}

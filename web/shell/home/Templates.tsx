import { SimpleGrid } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { startersQuery } from '../../api/templates.ts'
import { TemplateCard } from '../../ui/TemplateCard.tsx'
import { Section } from './Section.tsx'

/** Three templates that fit the workspace. */
export function Templates() {
  const { data } = useQuery(startersQuery)
  if (!data || data.length === 0) return null
  return (
    <Section
      title="Start from a template"
      text="Each runs right away on the practice model. No API key needed."
      action={<Link to="/marketplaces">All templates</Link>}
    >
      <SimpleGrid columns={{ base: 1, lg: 3 }} gap="4">
        {data.map((template) => (
          <TemplateCard key={template.id} template={template} />
        ))}
      </SimpleGrid>
    </Section>
  )
}

import { Flex, Input, SimpleGrid, Skeleton, Stack, Tabs, Text } from '@chakra-ui/react'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useDeferredValue, useState } from 'react'
import type { GalleryItem } from '#contract/marketplaces/marketplaces.ts'
import { deleteTemplate, galleryQuery } from '../../api/templates.ts'
import { useCan } from '../../api/use-can.ts'
import { FlowListButtons } from '../../flows/FlowListButtons.tsx'
import { deleteAsset } from '../../state/delete-asset.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { ChoiceFilter } from '../../ui/lists/filters.tsx'
import { RowMenu } from '../../ui/lists/RowMenu.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { TemplateCard, templateTypeName } from '../../ui/TemplateCard.tsx'
import { type GalleryFilter, shownTemplates, valuesOf } from './filter.ts'

const TemplateDialog = lazy(() => import('../../builder/templates/TemplateDialog.tsx'))

/** All templates: those that come with the product, and those that the workspace saved. */
export function MarketplacePage() {
  const can = useCan()
  const gallery = useQuery(galleryQuery)
  const [chosen, setChosen] = useState<string>()
  const tabs = [
    ...(can('templates:marketplace') ? [{ value: 'built-in', label: 'Built in' }] : []),
    ...(can('templates:custom') ? [{ value: 'custom', label: 'Custom' }] : []),
  ]
  return (
    <Stack gap="6">
      <PageTitle title="Marketplace" purpose="Start from a template, and make it yours." />
      <Tabs.Root
        value={chosen ?? tabs[0]?.value ?? ''}
        onValueChange={({ value }) => setChosen(value)}
        lazyMount
        unmountOnExit
      >
        <Tabs.List>
          {tabs.map(({ value, label }) => (
            <Tabs.Trigger key={value} value={value}>
              {label}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {tabs.map(({ value }) => (
          <Tabs.Content key={value} value={value} pt="6">
            {gallery.data ? (
              <Gallery
                templates={gallery.data.filter(({ isCustom }) => isCustom === (value === 'custom'))}
                isCustom={value === 'custom'}
              />
            ) : gallery.error ? (
              <ErrorState
                title="Couldn’t load templates"
                text={gallery.error.message}
                onRetry={() => void gallery.refetch()}
              />
            ) : (
              <Loading />
            )}
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </Stack>
  )
}

function Gallery({ templates, isCustom }: { templates: GalleryItem[]; isCustom: boolean }) {
  const [filter, setFilter] = useState<GalleryFilter>({ isCustom, text: '' })
  const [editing, setEditing] = useState<GalleryItem>()
  const shown = shownTemplates(templates, useDeferredValue(filter))
  if (templates.length === 0) return <NoTemplates />
  return (
    <Stack gap="6">
      <Filters templates={templates} filter={filter} onChange={setFilter} />
      <Text role="status" textStyle="sm" color="fg.muted" mb="-3" overflowWrap="anywhere">
        {shown.length === 0
          ? 'No template matches. Change the search or the filters.'
          : shown.length === 1
            ? '1 template'
            : `${shown.length} templates`}
      </Text>
      <SimpleGrid as="ul" listStyleType="none" columns={{ base: 1, sm: 2, xl: 3 }} gap="4">
        {shown.map((template) => (
          <li key={template.id}>
            <TemplateCard template={template} menu={isCustom && <Menu template={template} onEdit={setEditing} />} />
          </li>
        ))}
      </SimpleGrid>
      {editing && (
        <Suspense>
          <TemplateDialog of={{ template: editing }} onClose={() => setEditing(undefined)} />
        </Suspense>
      )}
    </Stack>
  )
}

interface FiltersProps {
  templates: GalleryItem[]
  filter: GalleryFilter
  onChange(filter: GalleryFilter): void
}

function Filters({ templates, filter, onChange }: FiltersProps) {
  const set = (change: Partial<GalleryFilter>) => onChange({ ...filter, ...change })
  const options = <Value extends string>(read: (item: GalleryItem) => readonly Value[]) =>
    valuesOf(templates, read).map((value) => [value, value] as const)
  return (
    <Flex as="search" gap="3" wrap="wrap" align="end">
      <Input
        type="search"
        size="sm"
        aria-label="Search templates"
        placeholder="Search templates"
        flex="2 1 14rem"
        maxW={{ md: 'sm' }}
        value={filter.text}
        onChange={(event) => set({ text: event.target.value })}
      />
      <ChoiceFilter
        label="Type"
        value={filter.type}
        options={valuesOf(templates, ({ type }) => [type]).map((type) => [type, templateTypeName(type)] as const)}
        onChange={(type) => set({ type })}
      />
      <ChoiceFilter
        label="Framework"
        value={filter.framework}
        options={options(({ framework }) => framework)}
        onChange={(framework) => set({ framework })}
      />
      <ChoiceFilter
        label="Use case"
        value={filter.usecase}
        options={options(({ usecases }) => usecases)}
        onChange={(usecase) => set({ usecase })}
      />
    </Flex>
  )
}

function Menu({ template, onEdit }: { template: GalleryItem; onEdit(template: GalleryItem): void }) {
  const can = useCan()
  const { id, templateName: name } = template
  const actions = [
    ...(can('templates:update,templates:create')
      ? [{ label: 'Edit', icon: IconPencil, onSelect: () => onEdit(template) }]
      : []),
    ...(can('templates:delete')
      ? [
          {
            label: 'Delete',
            icon: IconTrash,
            danger: true,
            onSelect: () =>
              void deleteAsset({
                name,
                description: 'Flows that were made from it stay.',
                remove: () => deleteTemplate(id),
              }),
          },
        ]
      : []),
  ]
  return actions.length > 0 && <RowMenu of={name} actions={actions} />
}

function NoTemplates() {
  return (
    <EmptyState
      title="No custom templates yet"
      text="Open the menu of a flow and choose “Save as template”. Everyone in the workspace can then start from it."
      action={<FlowListButtons />}
    />
  )
}

function Loading() {
  return (
    <SimpleGrid columns={{ base: 1, sm: 2, xl: 3 }} gap="4" role="status" aria-label="Loading templates">
      {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
        <Skeleton key={key} h="64" borderRadius="l3" />
      ))}
    </SimpleGrid>
  )
}

/** Templates: the gallery, one with its document, and those that the workspace saved. */
import { queryOptions } from '@tanstack/react-query'
import type {
  CreateTemplate,
  CustomTemplate,
  Gallery,
  GalleryItem,
  TemplateDetail,
  UpdateTemplate,
} from '#contract/marketplaces/marketplaces.ts'
import { api } from './client.ts'
import { invalidate, keys } from './query.ts'

const AREA = 'marketplaces'

/** Loads all templates that the user may see, without their documents. */
export const galleryQuery = queryOptions({
  queryKey: keys.list(AREA),
  queryFn: () => loadGallery(),
})

/** Loads three templates that fit the workspace. */
export const startersQuery = queryOptions({
  queryKey: keys.list(AREA, { starters: true }),
  queryFn: () => loadGallery({ starters: true }),
  staleTime: 300_000,
})

const loadGallery = async (query?: { starters: boolean }): Promise<GalleryItem[]> =>
  (await api.get<Gallery>('/marketplaces/gallery', query, { background: true })).data

export const templateQuery = (id: string) =>
  queryOptions({
    queryKey: keys.one(AREA, id),
    queryFn: () => api.get<TemplateDetail>(`/marketplaces/gallery/${encodeURIComponent(id)}`),
    retry: false,
  })

/** Throws ApiError. */
export async function createTemplate(template: CreateTemplate): Promise<CustomTemplate> {
  const created = await api.post<CustomTemplate>('/marketplaces/custom', template)
  await invalidate(AREA)
  return created
}

/** Throws ApiError. */
export async function updateTemplate(id: string, change: UpdateTemplate): Promise<void> {
  await api.put(`/marketplaces/custom/${id}`, change)
  await invalidate(AREA)
}

export async function deleteTemplate(id: string): Promise<void> {
  await api.delete(`/marketplaces/custom/${id}`)
  await invalidate(AREA)
}

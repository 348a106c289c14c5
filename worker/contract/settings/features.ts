/** Answer of GET /permissions/features: the App Switcher's cards. */
import * as z from 'zod'

const featureSchema = z.object({
  title: z.string(),
  description: z.string(),
  color: z.string().describe('A colour token of the theme: `mark.teal`'),
  icon: z.string().describe('Name of a Tabler icon component'),
  path: z.string(),
})

export const featureListSchema = z.object({
  features: z.array(featureSchema),
  categories: z.record(z.string(), z.array(z.string())).describe('Paths of each category'),
})

export type Feature = z.infer<typeof featureSchema>
export type FeatureList = z.infer<typeof featureListSchema>

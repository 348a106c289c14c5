/** Answer of GET /permissions/features: the App Switcher's cards. */

export interface Feature {
  title: string
  description: string
  /** A colour token of the theme: `mark.teal`. */
  color: string
  /** Name of a Tabler icon component: `IconKey`. */
  icon: string
  path: string
}

export interface FeatureList {
  features: Feature[]
  /** Category → paths of its features. */
  categories: Record<string, string[]>
}

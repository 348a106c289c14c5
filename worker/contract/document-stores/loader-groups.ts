/** The groups of loaders by what they read from, in the order in which people choose. */
export const LOADER_GROUPS = ['Files', 'Apps and storage', 'Web', 'Text'] as const
export type LoaderGroup = (typeof LOADER_GROUPS)[number]

/** How conversations are told apart and rated. Without schemas, as every page and the public chat load these. */

export const CHAT_TYPES = ['INTERNAL', 'EXTERNAL', 'EVALUATION', 'SCHEDULED', 'WEBHOOK'] as const

export const RATINGS = ['THUMBS_UP', 'THUMBS_DOWN'] as const

export const MAX_COMMENT_CHARACTERS = 5000

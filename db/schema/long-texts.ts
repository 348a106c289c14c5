import { sql } from 'drizzle-orm'
import { blob, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Texts that are too long for one row, in parts (`db/long-text.ts`). The rows of other tables refer to them. */
export const longTexts = sqliteTable(
  'long_texts',
  {
    /** What other tables hold in place of the text. */
    id: blob('id', { mode: 'buffer' }).notNull(),
    /** From 0. */
    part: integer('part').notNull(),
    text: text('text').notNull(),
  },
  (t) => [primaryKey({ columns: [t.id, t.part] }), index('long_texts_first').on(t.id).where(sql`${t.part} = 0`)],
)

/** Runs after drizzle-kit in `npm run db:generate`. */
import { recordNewMigrations } from './migrations.ts'

recordNewMigrations()

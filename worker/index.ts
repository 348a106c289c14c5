import { Hono } from 'hono'
import type { Env } from './env.ts'

const app = new Hono<{ Bindings: Env }>()
app.get('/api/v1/ping', (c) => c.text('pong'))
app.all('*', (c) => c.env.ASSETS.fetch(c.req.raw))

export default app

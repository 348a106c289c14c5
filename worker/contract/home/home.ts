/** Contents of the home page. */
import * as z from 'zod'
import { flowTypeSchema } from '../flow/flow-type-schema.ts'
import { runStateSchema } from '../runs/events.ts'
import { dateSchema } from '../schemas/responses.ts'
import { TRIGGER_STATES } from '../triggers/index.ts'

/** The newest runs among which the home page finds last runs and waiting runs. */
export const HOME_RUNS = 300

const sketchNodeSchema = z.object({
  name: z.string().describe('Name of the component'),
  x: z.int(),
  y: z.int(),
  width: z.int(),
  height: z.int(),
})

/** The positions of a flow's first nodes, from 0, and the edges between them as indexes of nodes. */
export const sketchSchema = z.object({
  width: z.int(),
  height: z.int(),
  nodes: z.array(sketchNodeSchema),
  edges: z.array(z.object({ from: z.int(), to: z.int() })),
})

const flowSchema = z.object({ id: z.string(), name: z.string(), type: flowTypeSchema })

export const homeSchema = z
  .object({
    flows: z
      .array(
        flowSchema.extend({
          updatedDate: dateSchema,
          sketch: sketchSchema,
          lastRun: z
            .object({ id: z.string(), state: runStateSchema, createdDate: dateSchema })
            .nullable()
            .describe(`The flow’s latest run, if it is one of the workspace’s ${HOME_RUNS} newest`),
        }),
      )
      .describe('Flows that people draw on a canvas, by latest update'),
    waiting: z
      .array(
        z.object({
          id: z.string(),
          flow: flowSchema,
          question: z.string().nullable(),
          step: z.string().nullable().describe('Label of the node that asks'),
          waitsFor: z
            .string()
            .nullable()
            .describe('Who is waited for where the viewer may not answer: `the team`, or the name of a role'),
          updatedDate: dateSchema,
        }),
      )
      .describe('The newest runs that wait for a person'),
    failing: z
      .array(
        z.object({
          id: z.string(),
          name: z.string(),
          flow: flowSchema,
          state: z.enum(TRIGGER_STATES),
          failuresInRow: z.int(),
          reason: z.string().nullable().describe('Why its last delivery failed'),
          lastFailure: dateSchema,
        }),
      )
      .describe('Triggers whose last delivery failed'),
  })
  .meta({ id: 'Home' })

export type Sketch = z.infer<typeof sketchSchema>
export type Home = z.infer<typeof homeSchema>

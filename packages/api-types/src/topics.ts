/** Shapes of the HTTP API around topics: what people join and leave by themselves. */
import { z } from 'zod'
import { shownName } from './directory.ts'
import { id } from './schemas.ts'

const topicName = z.strictObject({ ru: shownName, en: shownName })

export const topicBody = z.strictObject({
  name: topicName,
  senders: z
    .array(id)
    .max(1000)
    .describe(
      'who may write to it, and nobody else: a role (trainer, staff, operator, admin), which means those above it, too; or the id of a person',
    ),
  open: z.boolean().describe('whether people may join by themselves; whoever is in it may always leave'),
})
export type TopicInput = z.input<typeof topicBody>

export const topicView = z.strictObject({
  id: z.string(),
  name: topicName,
  senders: z.array(z.string()).readonly(),
  open: z.boolean(),
  joined: z.boolean().describe('whether you are in it'),
  mayWrite: z.boolean().describe('whether you may write to it'),
  size: z.int().optional().describe('people in it; shown to those who may write to it, and to operators'),
})
export type TopicView = z.infer<typeof topicView>
export const topicList = z.strictObject({ topics: z.array(topicView) })

export const topicMembership = z.strictObject({ topic: z.string(), person: z.string(), joined: z.boolean() })
export type TopicMembership = z.infer<typeof topicMembership>

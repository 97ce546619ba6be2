/** Shapes of the HTTP API around topics: what people join and leave by themselves. */
import { z } from 'zod'
import { shownName } from './directory.ts'
import { personId, smallCount, topicId } from './fields.ts'
import { id } from './given-fields.ts'

const topicName = z
  .strictObject({
    ru: shownName.describe('in Russian').meta({ examples: ['Шахматы'] }),
    en: shownName.describe('in English').meta({ examples: ['Chess'] }),
  })
  .describe('what people are told it is called')

export const topicBody = z
  .strictObject({
    name: topicName,
    senders: z
      .array(id)
      .max(1000)
      .describe(
        'who may write to it, and nobody else: a role (trainer, staff, operator, admin), which means those above it, too; or the id of a person',
      )
      .meta({ examples: [['staff', 't-gus']] }),
    open: z.boolean().describe('whether people may join by themselves; whoever is in it may always leave'),
  })
  .describe('a topic')
export type TopicInput = z.input<typeof topicBody>

export const topicView = z
  .strictObject({
    id: topicId,
    name: topicName,
    senders: z
      .array(z.string())
      .readonly()
      .describe('who may write to it: roles, and ids of people')
      .meta({ examples: [['staff', 't-gus']] }),
    open: z.boolean().describe('whether people may join by themselves'),
    joined: z.boolean().describe('whether you are in it'),
    mayWrite: z.boolean().describe('whether you may write to it'),
    size: smallCount.optional().describe('people in it; shown to those who may write to it, and to operators'),
  })
  .describe('a topic, and what you may do with it')
export type TopicView = z.infer<typeof topicView>
export const topicList = z.strictObject({ topics: z.array(topicView).describe('by id') }).describe('the topics')

export const topicMembership = z
  .strictObject({ topic: topicId, person: personId, joined: z.boolean().describe('whether they are in it now') })
  .describe('whether a person is in a topic now')
export type TopicMembership = z.infer<typeof topicMembership>

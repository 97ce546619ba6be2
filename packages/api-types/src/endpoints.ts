/** Endpoints: URLs that are called, and how they take it. */
import { z } from 'zod'
import { moment, personId } from './fields.ts'

const url = z
  .url({ protocol: /^https?$/ })
  .max(1000)
  .describe('one that messages name')
  .meta({ examples: ['https://lms.example.org/fleet'] })

/** A URL that messages of a sender name, or that of a person's contact. */
export const endpointQuery = z
  .strictObject({
    url: url.optional(),
    sender: personId
      .optional()
      .describe('with url: whose messages name it; yours when absent, of others for operators'),
    person: personId.optional().describe('in the place of url: whose own it is'),
  })
  .refine((query) => (query.url === undefined) !== (query.person === undefined), 'url or person, one of them')
  .refine(({ sender, url: named }) => sender === undefined || named !== undefined, {
    path: ['sender'],
    error: 'with url only: a person’s own URL is named by person',
  })
export type EndpointQuery = z.infer<typeof endpointQuery>

export const endpointView = z
  .strictObject({
    host: z
      .string()
      .describe('where it is')
      .meta({ examples: ['lms.example.org'] }),
    state: z
      .enum(['called', 'left-alone', 'off'])
      .describe(
        'called: as messages come; left-alone: it has failed, and is asked again later; off: nobody calls it any more',
      ),
    said: z
      .string()
      .optional()
      .describe('what came of the latest call; absent where there was none for a day')
      .meta({ examples: ['503'] }),
    at: moment.optional().describe('when that was'),
    nextTryAt: moment.optional().describe('left-alone: when it is called next'),
    failingSince: moment.optional().describe('since when there was nothing but failures'),
    offSince: moment.optional().describe('off: since when'),
  })
  .describe('an endpoint, and how it takes what is posted to it')
export type EndpointView = z.infer<typeof endpointView>

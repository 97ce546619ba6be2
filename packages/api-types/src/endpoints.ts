/** Endpoints: URLs that are called, and how they take it. */
import { z } from 'zod'
import { moment, personId } from './fields.ts'

const url = z
  .url({ protocol: /^https?$/ })
  .max(1000)
  .describe('one that you name in messages')
  .meta({ examples: ['https://lms.example.org/fleet'] })

/** A URL of the caller's messages, or that of a person's contact. */
export const endpointQuery = z
  .strictObject({
    url: url.optional(),
    person: personId.optional().describe('whose URL, in the place of one of yours'),
  })
  .refine((query) => (query.url === undefined) !== (query.person === undefined), 'url or person, one of them')

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

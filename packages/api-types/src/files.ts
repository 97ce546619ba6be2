/** Files that go with messages: with the message itself where the channel takes them, else as links below the text. */
import { z } from 'zod'
import { moment } from './fields.ts'

/** of one message */
export const maxFiles = 5
/** of one file */
export const maxFileBytes = 20 * 1_048_576

export const fileId = z
  .string()
  .regex(/^[\w-]{12}$/, 'the id of a file, as POST /v1/files has answered it')
  .describe('id of a file, as `POST /v1/files` has answered it')
  .meta({ examples: ['V1StGXR8Z5jd'] })

/** A file that lies ready. */
export const fileView = z
  .strictObject({
    id: fileId,
    name: z
      .string()
      .describe('what whoever opens it sees; as it was given, without what no file may be called')
      .meta({ examples: ['plan.pdf'] }),
    type: z
      .string()
      .describe('of its content, whatever its name says')
      .meta({ examples: ['application/pdf'] }),
    size: z
      .int()
      .describe('bytes')
      .meta({ examples: [184_320] }),
    until: moment.describe('it is kept so long'),
  })
  .describe('a file that lies ready: a message that names it keeps it longer')
export type FileView = z.infer<typeof fileView>

/** A file of one message. */
export const messageFile = fileView
  .extend({
    link: z
      .string()
      .describe('where it is, for whoever has this link, until then')
      .meta({ examples: ['https://fleet.example/f/V1StGXR8Z5jd?e=tln5c0&s=q1w2e3r4t5y6u7i8'] }),
  })
  .describe('a file of a message')
export type MessageFile = z.infer<typeof messageFile>

/** A file of one message, and where it does not go with the message itself. */
export const messageFileView = messageFile.extend({
  asLink: z
    .array(z.string())
    .describe(
      'channels on which it is a link below the text; on the others one that the provider does not take, or that does not go with somebody’s own text, is a link, too',
    )
    .meta({ examples: [['sms', 'mail']] }),
})
export type MessageFileView = z.infer<typeof messageFileView>

export const messageFiles = z
  .array(fileId)
  .min(1)
  .max(maxFiles)
  .refine((ids) => new Set(ids).size === ids.length, 'a file stands there once')
  .describe(
    'files of yours that go with it, at most 5 (`POST /v1/files`): with the message itself where the channel takes them, else as links below the text, which SMS count in their parts',
  )
  .meta({ examples: [['V1StGXR8Z5jd']] })

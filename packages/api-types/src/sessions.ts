/** Signing in by a one-time code, and who is calling since. */
import { z } from 'zod'
import { address } from './directory.ts'
import { languageTag, moment, personId, personName, roleId, zoneName } from './fields.ts'
import { channelName, id, oneTimeCode, sources } from './given-fields.ts'
import { limitsView } from './limits-view.ts'
import { namesInLanguages } from './message-types.ts'
import { callerRoles } from './roles.ts'

/** Whoever signs in says who they are by their id, or by one of their contacts. */
const whoever = z.union([
  z.strictObject({ person: id.describe('id of the person').meta({ examples: ['t-gus'] }) }),
  z.strictObject({
    contact: z.strictObject({ channel: channelName, address }).describe('one of the contacts of the person'),
  }),
])
export const signInBody = whoever.describe('who signs in').meta({ examples: [{ person: 't-gus' }] })
export type SignInInput = z.input<typeof signInBody>
export const signInAnswer = z
  .strictObject({
    expiresAt: moment.describe('until then the code is good, if one was sent: the answer is the same for anybody'),
  })
  .describe('a code was sent, if there is such a person with a contact')
export type SignInAnswer = z.infer<typeof signInAnswer>

export const sessionBody = z
  .union([
    z.strictObject({ person: id.describe('id of the person').meta({ examples: ['t-gus'] }), code: oneTimeCode }),
    z.strictObject({
      contact: z.strictObject({ channel: channelName, address }).describe('one of the contacts of the person'),
      code: oneTimeCode,
    }),
  ])
  .describe('who signs in, and the code that was sent')
  .meta({ examples: [{ person: 't-gus', code: '47110815' }] })
export type SessionInput = z.input<typeof sessionBody>

/** Who is calling, however they got in. */
export const sessionView = z
  .strictObject({
    owner: personId.describe('whose histories, groups and limits these are'),
    role: z.enum(callerRoles).describe('what the caller may do'),
    ownRole: z
      .strictObject({ id: roleId, name: namesInLanguages })
      .optional()
      .describe('the role whose quota and budget hold for the caller, where that is none of the five'),
    source: z
      .enum(sources)
      .optional()
      .describe('what histories say of where a message came from; absent: the message says it'),
    person: z
      .strictObject({ name: personName, timeZone: zoneName, language: languageTag })
      .optional()
      .describe('absent for an API key whose owner is not in the directory'),
    limits: limitsView,
    csrfToken: z
      .string()
      .optional()
      .describe('for X-CSRF-Token on every unsafe call of this session; absent for API keys')
      .meta({ examples: ['q1w2e3r4t5y6'] }),
    expiresAt: moment.optional().describe('end of the session unless it is used again before; absent for API keys'),
  })
  .describe('who is calling, and what they may do')
export type SessionView = z.infer<typeof sessionView>

/** Browsers in which a person is signed in. */
export const sessionList = z
  .strictObject({
    sessions: z
      .array(
        z.strictObject({
          id: z
            .string()
            .describe('id of the session, which is no secret')
            .meta({ examples: ['V1StGXR8'] }),
          openedAt: moment.describe('when somebody signed in with it'),
          expiresAt: moment.describe('end of the session unless it is used again before'),
          current: z.boolean().describe('the session of this call'),
        }),
      )
      .describe('newest first'),
  })
  .describe('browsers in which a person is signed in')
export type SessionList = z.infer<typeof sessionList>

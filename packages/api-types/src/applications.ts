/** People who are not in the list and ask to be put into it: what the office sees of them, and decides. */
import { z } from 'zod'
import { channelId, groupId, moment, personId, personName } from './fields.ts'
import { id } from './given-fields.ts'

const applicationId = z
  .string()
  .describe('of the application')
  .meta({ examples: ['5f3a9c0e12ab'] })

export const applicationView = z
  .strictObject({
    id: applicationId,
    name: personName.describe('as the applicant has written it'),
    group: groupId.optional().describe('whose link was followed; absent where none was'),
    wish: z
      .string()
      .optional()
      .describe('the group, as the applicant calls it; absent where a link named it')
      .meta({ examples: ['ИВТ-101'] }),
    channel: channelId.describe('on which they have proved their contact'),
    address: z
      .string()
      .describe('of that contact')
      .meta({ examples: ['+79161234567'] }),
    linkedTo: personId.optional().describe('who has this contact already: it cannot be accepted'),
    at: moment.describe('when the contact was proved'),
    until: moment.describe('then it lapses'),
    accepting: z.literal(true).optional().describe('accepting it was cut off: it goes on when it is accepted again'),
  })
  .describe('an application that waits to be decided')
export type ApplicationView = z.infer<typeof applicationView>

export const applicationList = z
  .strictObject({ applications: z.array(applicationView).describe('the oldest first') })
  .describe('applications that wait to be decided')
export type ApplicationList = z.infer<typeof applicationList>

export const acceptBody = z
  .strictObject({ group: id.optional().describe('the group to put them into; that of the link when absent') })
  .meta({ examples: [{ group: 'ivt-101' }] })
export type AcceptInput = z.input<typeof acceptBody>

export const acceptedView = z
  .strictObject({ person: personId.describe('who they are in the list from now on') })
  .describe('what came of it')
export type AcceptedView = z.infer<typeof acceptedView>

export const refuseBody = z
  .strictObject({
    answer: z
      .string()
      .trim()
      .min(1)
      .max(300)
      .describe('why, for the applicant to read on their page')
      .meta({ examples: ['Вас нет в списках группы. Зайдите в деканат со студенческим билетом.'] }),
  })
  .describe('a refusal')
export type RefuseInput = z.input<typeof refuseBody>

export const applicationLinkBody = z.strictObject({
  days: z.int().min(1).max(60).default(14).describe('so long the link is good'),
})
export type ApplicationLinkInput = z.input<typeof applicationLinkBody>

export const applicationLinkView = z
  .strictObject({
    group: groupId,
    url: z
      .string()
      .describe('of the page: for everybody who may apply for the group')
      .meta({ examples: ['https://messages.example.org/a/ivt-101.mr0k1c00.AbCdEfGhIjKlMnOpQrStUv'] }),
    qr: z
      .string()
      .describe('the URL as a QR code, an SVG picture')
      .meta({
        examples: ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 37 37"><path d="M4 4h1v1H4Z"/></svg>'],
      }),
    until: moment.describe('until then it is good'),
  })
  .describe('a link to the page where people apply for a group')
export type ApplicationLinkView = z.infer<typeof applicationLinkView>

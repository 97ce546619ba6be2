/** The words of writing a message. */
import { createPlural } from '@courier-fleet/words'

const plural = createPlural('en')
const numbers = new Intl.NumberFormat('en')
const number = (count: number) => numbers.format(count)
const messages = (count: number) => plural(count, { one: 'message', other: 'messages' })

export const composing = {
  compose: {
    title: 'Write a message',
    to: 'To whom',
    find: 'Group, cohort, person…',
    chosen: 'Chosen',
    nobodyChosen: 'Nobody is chosen yet.',
    remove: (name: string) => `Remove ${name}`,
    groups: 'Groups',
    cohorts: 'Cohorts',
    roles: 'By role',
    persons: 'People',
    looking: 'Looking…',
    nothingFound: 'Nothing was found.',
    groupCount: (count: number) => plural(count, { one: 'group', other: 'groups' }),
    text: 'Text',
    textHint: 'The same text goes to every channel',
    subject: 'Subject',
    subjectHint: (channels: string) => `${channels}: leave empty to use the start of the text`,
    preview: 'How it will look',
    split: (count: number) => `${messages(count)} in a row`,
    andMore: (count: number) => `and ${messages(count)} more`,
    smsEach: (count: number) => `${number(count)} SMS each`,
    when: 'When',
    now: 'Now',
    later: 'At a time',
    at: 'Date and time',
    zone: (zone: string) => `Time zone: ${zone}`,
    class: 'Urgency',
    classes: { normal: 'Normal', urgent: 'Urgent: before other messages', bulk: 'Can wait: after other messages' },
    type: 'About what',
    typeHint: 'This decides which rules apply',
    more: 'More: about what, urgency, channels',
    hours: (count: number) => plural(count, { one: 'hour', other: 'hours' }),
    channels: 'Only by',
    ignoreQuiet: 'Send in quiet hours, too',
    sendAnyway: 'Send it anyway',
    send: (audience: string) => (audience ? `Send to ${audience}` : 'Send'),
    schedule: (audience: string) => (audience ? `Schedule for ${audience}` : 'Schedule'),
    nobodyGets: 'Nobody to send it to',
    sending: 'Sending…',
    quota: (left: number, limit: number) => `${left} of ${messages(limit)} left today`,
    quotaGone: (until: string) => `You have used today's messages. You can send again ${until}`,
    unlimited: 'No daily limit',
    unanswered: 'No answer came, so it may or may not have been sent. Send again: it will not go out twice.',
    chooseFirst: 'Choose who it is for.',
    writeFirst: 'Write the text.',
    timeFirst: 'Choose the date and time.',
  },

  rehearsal: {
    title: 'Who we will send it to',
    asking: 'Counting…',
    nobodyNext: 'Choose other people or channels. To link contacts, give people their codes: page “Groups”.',
    byChannel: 'By channel',
    channel: 'Channel',
    reachable: 'We can',
    not: 'We cannot',
    first: (count: number) => `The first ${number(count)} are named.`,
  },

  check: {
    title: 'Check before sending',
    back: 'Change it',
  },

  takeBack: {
    until: (time: string) => `Nothing is sent yet. It starts at ${time}; until then you can take it back.`,
    yes: 'Take it back',
    atOnce: 'Send it at once',
    done: 'Taken back. Nobody got it.',
  },
}

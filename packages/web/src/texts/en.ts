import type { WhoWaits } from '@courier-fleet/words'
import { channelName, createPlural, problemWords } from '@courier-fleet/words'
import { en as known } from '@courier-fleet/words/en'
import { channelWords } from './channel-words.ts'
import { composing } from './compose.en.ts'
import { spanOf } from './span-of.ts'

const plural = createPlural('en')
const numbers = new Intl.NumberFormat('en')
const number = (count: number) => numbers.format(count)
const people = (count: number) => plural(count, { one: 'person', other: 'people' })

export const en = {
  people,
  number,
  /** what every part of the fleet says alike: classes, reasons, receipts, histories */
  known,
  channelName: (leg: string) => channelName('en', leg),
  skip: 'Skip to the content',
  loading: 'Loading…',
  retry: 'Try again',
  close: 'Close',
  language: 'Language',

  nav: {
    label: 'Main',
    compose: 'Write',
    messages: 'Messages',
    people: 'People',
    groups: 'Groups',
    templates: 'Templates',
    import: 'Import',
    service: 'Service',
    rules: 'Rules',
    integrations: 'Integrations',
    me: 'My contacts',
    signOut: 'Sign out',
  },

  channels: channelWords('en'),
  roles: {
    student: 'student',
    trainer: 'trainer',
    staff: 'staff',
    operator: 'operator',
    admin: 'administrator',
    inbound: 'inbound process',
  } as Record<string, string>,
  everyRole: {
    student: 'All students',
    trainer: 'All trainers',
    staff: 'All staff',
    operator: 'All operators',
    admin: 'All administrators',
  } as Record<string, string>,

  ...composing,

  message: {
    title: 'Message',
    standing: 'What is known',
    replay: 'Show how it was sent',
    for: 'For',
    due: 'Due',
    sentAt: 'Started',
    doneAt: 'Done',
    foretold: 'Forecast',
    inFact: 'In fact',
    progress: 'Progress',
    live: 'This page updates itself.',
    mayBeReported: 'Confirmations and failures can still come in. This page updates itself.',
    byClass: 'By name',
    sender: 'From',
    notYours: (sender: string) =>
      `This message is not yours: its sender is ${sender}. The log will show who stopped it.`,
    release: 'Let it go out',
    released: 'It goes out.',
    event: 'Linked to the event',
    fromEvent: (offset: number) =>
      offset === 0
        ? 'at its time'
        : `${spanOf(Math.abs(offset), ['s', 'min', 'h'])} ${offset < 0 ? 'before' : 'after'} it`,
    cancelledBy: 'Stopped by',
    toldBy: 'Told by',
    chooseAll: 'Choose all',
    decide: (count: number) => (count > 0 ? `Decide about ${people(count)}…` : 'Decide about those chosen…'),
    providerId: 'Id at the provider',
    detail: 'The provider said',
    lost: 'Connection lost. The message is still being sent. Reconnecting…',
    moving: 'This message is being moved to another server. It waits, then goes on by itself.',
    pauses: {
      'slow-down': (channel: string, seconds: number) =>
        `${channel} asks us to slow down: we go on in about ${plural(seconds, { one: 'second', other: 'seconds' })}. The rest wait.`,
      slow: (channel: string) => `${channel} takes them one after another: the rest wait their turn.`,
      stuck: (channel: string) => `${channel} has stopped. Tell support.`,
    },
    namedFirst: (count: number) => `The first ${number(count)} are named; the CSV has all of them.`,
    everyone: 'Person by person',
    csv: 'Download as CSV',
    again: 'Write again',
    remind: (count: number) => `Remind those who have not confirmed: ${number(count)}`,
    againToRest: 'Write again to all but those who have it',
    cancel: 'Cancel',
    stop: 'Stop',
    reschedule: 'Reschedule',
    change: 'Change the text',
    correct: 'Correct the text',
    withdraw: 'Withdraw',
    cancelTitle: 'Cancel this message?',
    cancelText: 'Nobody will get it. This cannot be undone.',
    stopTitle: 'Stop this message?',
    stopText: 'People who have it keep it. Nobody else will get it.',
    cancelYes: 'Yes, cancel it',
    stopYes: 'Yes, stop it',
    keep: 'No, leave it',
    rescheduleTitle: 'When should it go out?',
    save: 'Save',
    nowAtOnce: 'Send it now',
    cancelled: 'The message is cancelled.',
    stopping: 'It stops once what is on its way has gone out.',
    rescheduled: (at: string) => `It goes out ${at}.`,
  },

  /** about those who wait because of a rule about people */
  waiting: {
    send: (count: number) => `Send to ${people(count)} now…`,
    cancel: (count: number) => `Leave out ${people(count)} who wait…`,
    sendTitle: 'Send to them now?',
    sendText: ({ quiet, online }: WhoWaits) => {
      const inQuietHours = `to ${people(quiet)} in quiet hours, whatever the hour is where they are`
      const notOnline = `to ${people(online)} who are to be online first, online or not`
      const whom = [...(quiet > 0 ? [inQuietHours] : []), ...(online > 0 ? [notOnline] : [])].join(', and ')
      return `It goes out at once ${whom}. ${quiet > 0 ? 'Their own quiet hours' : 'Quiet hours'} are kept.`
    },
    sendYes: 'Yes, send it now',
    cancelTitle: 'Leave out those who wait?',
    cancelText: ({ online }: WhoWaits) => {
      const whom = online > 0 ? `, not even when they are online (${people(online)})` : ''
      return `They will not get it${whom}. People who have it keep it. This cannot be undone.`
    },
    cancelYes: 'Yes, leave them out',
    sent: (count: number) => `Sent on its way to ${people(count)}.`,
    cancelled: (count: number) => `Left out: ${people(count)}.`,
  },

  peoplePage: {
    title: 'People',
    search: 'Search by name or id',
    found: (count: number, more: boolean) => `${people(count)}${more ? ' so far; scroll for more' : ''}`,
    none: 'Nobody was found.',
    groups: 'Groups',
    noGroups: 'In no group.',
    contacts: 'Contacts',
    enrol: 'Issue a code',
  },

  groupsPage: {
    title: 'Groups and cohorts',
    search: 'Search by name or id',
    members: (count: number) => people(count),
    noneOwned: 'No group or cohort is yours to write to.',
    show: (name: string) => `Members of ${name}`,
    write: (name: string) => `Write to ${name}`,
  },

  me: {
    title: 'My contacts and consent',
    who: 'You are',
    zone: 'Time zone',
    intro: 'Messages reach you on the channels linked here. You decide which of them may.',
    states: {
      active: 'linked',
      blocked: 'you have blocked us there',
      deactivated: 'the account is gone',
      invalid: 'the address is wrong',
      'opted-out': 'you asked us to stop',
    } as Record<string, string>,
    personStates: {
      active: 'linked',
      blocked: 'has blocked us',
      deactivated: 'account is gone',
      invalid: 'address is wrong',
      'opted-out': 'asked us to stop',
    } as Record<string, string>,
    none: 'not linked',
    link: 'Link',
    relink: 'Link another',
    unlink: 'Unlink',
    stop: 'Stop messages here',
    start: 'Allow messages here',
    agreed: (at: string) => `agreed ${at}.`,
    code: 'Your code',
    until: (at: string) => `Use it once, by ${at}.`,
    open: (channel: string) => `Open ${channel} with the code`,
    qr: (channel: string) => `QR code that opens ${channel} on a phone`,
    another: 'Another code',
    lapsed: 'This code has expired. Get another one.',
    linked: (channel: string) => `Done: ${channel} is linked.`,
    unlinkTitle: (contact: string) => `Unlink ${contact}?`,
    unlinkText: 'Messages will not reach this contact any more until it is linked again.',
    unlinkOthers: 'They go to the other numbers from then on.',
    unlinkYes: 'Yes, unlink it',
    notInDirectory: 'You are not in the list of people, so you have no contacts here.',
  },

  wishes: {
    title: 'What messages are about',
    intro: 'Choose which messages to get. Mandatory ones always come, unless you stop the whole channel.',
    mandatory: 'mandatory',
    byChannel: (type: string) => `${type}: by channel`,
    on: (what: string) => `Switched on: ${what}`,
    off: (what: string) => `Switched off: ${what}`,
    quiet: 'When not to write',
    quietChoices: {
      fleet: 'In the quiet hours that hold for everyone',
      own: 'In hours of my own',
      never: 'Any hour is fine',
    },
    quietEnds: { from: 'From', to: 'To' },
    saved: 'Saved.',
  },

  /** about those of whom it is not known whether it arrived */
  decision: {
    title: (count: number) => `Not known whether it arrived: ${people(count)}`,
    whom: (names: readonly string[], more: number) =>
      `${names.join(', ')}${more > 0 ? ` and ${people(more)} more` : ''}`,
    channel: 'On which channel',
    what: 'What is to be done?',
    choices: {
      delivered: 'I have found out that it arrived',
      failed: 'I have found out that it did not arrive',
      again: 'Send it to them again',
    },
    kept: 'The message will show who decided this.',
    twice: 'They may get it twice: the first may have arrived. The message will show who decided this.',
    send: 'Send again',
    nothing: 'Leave it as it is',
    done: (count: number) => `Noted for ${people(count)}.`,
  },

  sessions: {
    title: 'Where you are signed in',
    ofPerson: 'Where they are signed in',
    opened: (at: string) => `Signed in ${at}`,
    current: 'this browser',
    until: (at: string) => `ends ${at} unless it is used`,
    end: 'End',
    endOf: (at: string) => `End the session of ${at}`,
    endOthers: 'End all others',
    ended: (count: number) => `${plural(count, { one: 'session', other: 'sessions' })} ended.`,
    none: 'Nowhere.',
  },

  topics: {
    title: 'Topics',
    intro: 'Join what you want to hear about. You can leave at any time. Only the office sees who is in a topic.',
    none: 'There are no topics to join now.',
    closed: 'closed: the office adds people, and you can leave',
    joined: (name: string) => `You are in “${name}”.`,
    left: (name: string) => `You are not in “${name}” any more.`,
    add: 'New topic',
    edit: (name: string) => `Edit “${name}”`,
    editShort: 'Edit',
  },

  /** what is expected of a field, where something else stood in it */
  invalid: {
    code: 'The code has eight digits.',
    text: 'Write a text of at most 20,000 characters.',
    braces: 'What stands between {{ and }} is no field. Write it as {{name}}.',
    ceiling: 'SMS at most: a whole number from 1 on, or nothing.',
    subject: 'Write one line of at most 100 characters.',
    to: 'Choose who it is for: at most 1,000 groups and people.',
    at: 'Choose a date and a time.',
    name: 'Write a name in both languages, without invisible characters.',
    senders: 'Write roles and ids of people, with commas between them.',
    id: 'An id has letters, digits, - and _ only.',
    person: 'An id has letters, digits, - and _ only.',
    address: 'This does not look like an address of this channel.',
    resource_id: 'Write an id as this field takes it.',
  } as Record<string, string>,
  problem: (code: string) => problemWords('en', code),
  noAnswer: 'The service is not answering. Check your connection and try again.',
}
export type Words = typeof en

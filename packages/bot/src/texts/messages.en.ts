import { budgetSpentWords, outcomeWords, problemWords, wordsIn } from '@courier-fleet/words'
import { asRead, shortened, unreachableIn, type Words } from './words.ts'

const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`
const people = (number: number) => count(number, 'person', 'people')
const messages = (number: number) => count(number, 'message', 'messages')
const quoted = (names: readonly string[]) => names.map((name) => `“${name}”`).join(', ')
const listed = (lines: readonly string[]) => lines.map((line) => `• ${line}`).join('\n')

const unreachable = unreachableIn('en')

export const en: Words = {
  commands: {
    send: 'write to groups',
    templates: 'take a stored text',
    history: 'your latest messages',
    repeat: 'send one again',
    reschedule: 'move to another time',
    waiting: 'who waits, and what to do about them',
    cancel: 'cancel',
    limit: 'how many messages are left',
    topics: 'topics you may join',
    mute: 'do not send one type of message',
    unmute: 'send it again',
    quiet: 'when not to write',
    lang: 'language / язык',
    unlink: 'unlink this chat',
    stop: 'get no messages here',
    help: 'what I can do',
  },
  buttons: {
    group: (name, size) => `${name} · ${size}`,
    cohort: (name, groups) => `cohort ${name} · ${count(groups, 'group', 'groups')}`,
    topic: (name, size) => `topic ${name} · ${size}`,
    quiet: (hours) =>
      hours === 'never' ? 'At any hour' : hours === 'fleet' ? 'As everybody' : `${hours.from}–${hours.to}`,
    chosen: (label) => `✓ ${label}`,
    earlier: '‹ back',
    further: 'more ›',
    showAll: 'show all',
    done: (chosen) => `Next (${chosen})`,
    drop: 'Cancel',
    sendNow: 'Send now',
    schedule: 'Schedule',
    sendAnyway: 'Send anyway',
    sendWaiting: 'Send to them now',
    cancelWaiting: 'Cancel for them only',
    later: 'Later…',
    now: 'Rather now',
    audience: 'Change recipients',
    text: 'Change text',
    template: 'Take a template',
    unlink: 'Unlink',
    keep: 'Keep',
    again: (getting, of) => (getting === of ? `Send to them again (${of})` : `Send again: ${getting} of ${of}`),
    toEverybody: 'To everybody, as before',
    toMissed: (number) => `Only to those not reached (${number})`,
    move: 'Move',
    cancel: 'Cancel',
    stop: 'Stop',
    language: 'English',
  },

  welcome: (name, maySend) =>
    `Hello, ${name}!\n${maySend ? 'Just write the text of a message, or press /send to choose groups.' : 'Messages will come here.'}\n/help says what I can do.`,
  stranger:
    'I do not know you yet. Get a code from the office or on your own page and send it here: “/start 12345678” or “CODE 12345678”.',
  applied: (name) =>
    `${name}, this chat is proved to be yours, and the office has your application. The answer is on the page where you applied.`,
  tooManyApplications: 'There are too many applications now. Try again tomorrow, or ask the office.',
  linked: (name) => `Done, ${name}: this chat is linked to you.`,
  wrongCode: 'That code does not work: it is mistyped, used or expired. Get a new one and try again.',
  unlinkFirst: 'A contact of an operator or admin is not moved by a code: unlink the old one on your own page first.',
  tooManyCodes: (minutes) => `Too many tries. Try again in ${count(minutes, 'minute', 'minutes')}.`,
  stopped: 'All right, no more messages here. Write /start if you change your mind.',
  startedAgain: 'Messages will come here again.',
  stillStopped: 'You asked for no messages here. Write /start to come back.',
  mayNotSend: 'Students cannot send messages; they receive them here. /help says what else there is.',
  help: (maySend) =>
    `${
      maySend
        ? '/send – write to groups and cohorts\n/templates – take a stored text\n/history – your latest messages and what became of them\n/repeat – send one again\n/reschedule – move one to another time\n/waiting – who waits, and what to do about them\n/cancel – drop the draft or cancel a message\n/limit – how many messages are left today\n'
        : ''
    }/topics – topics you may join\n/mute – do not send one type of message\n/quiet 23-7 – do not write at night\n/lang – language\n/stop – get no messages here\n/unlink – unlink this chat\n\n${
      maySend
        ? 'Write times as you like: “tomorrow 8:30”, “fri 14:00”, “in 2h”.'
        : 'If something is wrong, turn to the office.'
    }`,
  onlyText: 'I understand text only: I cannot send pictures, files or voice.',
  outOfDate: 'This button is out of date.',
  olderText: 'Not noted: the text has been corrected since. Confirm the new one.',
  confirmed: (moment) => `Noted: ${moment}.`,
  notForYou: 'This message is for somebody else.',
  pressAgain: 'This could not be noted just now. Press again in a moment.',
  trouble: 'The service does not answer right now. Nothing is lost; try again in a minute.',
  refused: (code) => problemWords('en', code),
  dropped: 'The draft is gone.',
  nothingToDrop: 'There is nothing to cancel.',
  kept: 'All right, everything stays as it is.',
  languageSet: 'I will write in English.',

  whom: ({ query, found, page, pages, chosen, hasText }) =>
    [
      'To whom? Tick groups, cohorts or topics; to find one, write a part of its name.',
      query === '' ? '' : found === 0 ? `Nothing is called “${query}”.` : `Found for “${query}”: ${found}.`,
      query !== '' && found === 0 && !hasText
        ? 'If this is the text of the message, press “show all”, choose who it is for, and write it again.'
        : '',
      pages > 1 ? `Page ${page} of ${pages}.` : '',
      chosen.length > 0 ? `Chosen: ${quoted(chosen)}.` : '',
    ]
      .filter(Boolean)
      .join('\n'),
  noGroups: 'You have no groups, cohorts or topics to write to. The office assigns them.',
  chooseSomebody: 'Tick at least one group.',
  whatText: (to) => `To: ${quoted(to)}.\nNow write the text of the message.`,
  nobodyInThere: 'There is nobody in the groups you chose.',
  whichTemplate: (page, pages) => `Which template?${pages > 1 ? ` Page ${page} of ${pages}.` : ''}`,
  noTemplates: 'There are no templates yet. Staff make them; /send lets you write in your own words.',
  askField: (label, example) => `Write: ${label}${example === undefined ? '' : ` (such as ${example})`}.`,
  valueTooLong: (most) => `That is too long: at most ${count(most, 'character', 'characters')}. Write less.`,
  noValue: (number) => `The text says something we do not know about ${people(number)}. Write one for everybody.`,
  preview: ({ to, text, reader, reach, reached, at, missed, steps, planned, foretold }) =>
    [
      `To: ${quoted(to)}.`,
      `When: ${at ?? 'at once'}.`,
      '',
      `${reached.sentence}.`,
      ...(reached.overlap === undefined ? [] : [`${reached.overlap}.`]),
      ...foretold.map((each) => `${each}.`),
      ...(steps.length > 0 ? ['', ...steps] : []),
      ...(planned === undefined ? [] : ['', planned]),
      ...(missed.length > 0
        ? ['', `${wordsIn('en').reach.nowhere(reach.people - reach.reachable)}:`, listed(missed)]
        : []),
      ...(reach.unreachable.length > missed.length ? [`…and ${reach.unreachable.length - missed.length} more`] : []),
      '',
      reader === undefined ? 'Text:' : `Text, as ${reader} will read it:`,
      asRead(reach, shortened(text, 1500)),
    ].join('\n'),
  unreachable,

  askWhen: (zone) => `When? For example “tomorrow 8:30”, “fri 14:00”, “in 2h”. Time zone: ${zone}.`,
  askBack: (when, moment) => {
    switch (when.ask) {
      case 'unclear':
        return 'I do not understand when. Write, for example, “tomorrow 8:30” or “25 December 10:00”.'
      case 'no-time':
        return 'At what time of day? Write day and time together, such as “tomorrow 8:30”.'
      case 'past':
        return `That has passed (${moment(when.meant)}). Write a time to come, such as “tomorrow 8:30”.`
      case 'too-far':
        return `That is more than a year ahead (${moment(when.meant)}). Write a nearer time.`
      case 'which':
        return `That can be either ${moment(when.either)} or ${moment(when.or)}. Which? Write, for example, “25 December 10:00” or “in 2h”.`
      case 'no-such-time':
        return 'There is no such time on that day: the clocks are put forward. Write another one.'
    }
  },

  accepting: 'Taking the message…',
  progress: (history, moment) => {
    if (history.state === 'issued') return 'Taking the message…'
    return outcomeWords('en', history, { moment }).sentence
  },
  outcome: ({ sentence, missed, moreMissed, left }) =>
    [
      sentence,
      ...(missed.length > 0 ? ['', 'Who may not have it:', listed(missed)] : []),
      ...(moreMissed ? ['…and others'] : []),
      ...(left && left.nowhere > 0
        ? [
            '',
            `There is nowhere to write to ${people(left.nowhere)}. Ring them up or tell them yourself: the list is on the page of this message in the web app. The office links a new contact; then send to them again: /repeat.`,
          ]
        : []),
    ].join('\n'),
  written: (to, text) => [...(to.length > 0 ? [`To: ${quoted(to)}.`] : []), 'Text:', text].join('\n'),
  worse: (text, sentence) => `“${text}” did not reach everybody it was sent to. As it is now: ${sentence}`,
  quota: (again) => `Not sent: today's messages are used up. Again from ${again}.`,
  audienceChanged: 'Not sent: somebody joined or left the groups. Check again.',
  sameAgain: (sent, number) =>
    `Not sent: you sent this text to the same ${people(number)} ${sent}. If you mean it, press “Send anyway”.`,
  notSentInTime: 'Not sent: the service did not answer for too long. If it still matters, send it now.',
  noLongerYours: 'This chat is no longer linked to you, so I cannot see what became of the message.',

  limits: ({ limit, left, resetsAt, budgets = [] }, moment) =>
    [
      limit === null
        ? 'You have no limit.'
        : `Left today: ${messages(left ?? 0)} of ${limit}. All of them again from ${moment(Date.parse(resetsAt ?? ''))}.`,
      ...budgets.map((each) => `${budgetSpentWords('en', each)}.`),
    ].join('\n'),
  topics: (joined, page, pages) =>
    [
      'Topics. Press to join one or to leave it.',
      joined.length > 0 ? `You are in: ${quoted(joined)}.` : 'You are in none of them.',
      pages > 1 ? `Page ${page} of ${pages}.` : '',
    ]
      .filter(Boolean)
      .join('\n'),
  noTopics: 'There are no topics to join now.',
  types: (off, mandatory, page, pages) =>
    [
      'Types of message. Press one to switch it off on all channels, or on again.',
      off.length > 0 ? `Switched off: ${quoted(off)}.` : 'You get all of them here.',
      mandatory.length > 0 ? `Mandatory, these always come: ${quoted(mandatory)}.` : '',
      'To get no messages here at all: /stop',
      pages > 1 ? `Page ${page} of ${pages}.` : '',
    ]
      .filter(Boolean)
      .join('\n'),
  nothingToMute:
    'All messages are mandatory; none can be switched off by itself. To get no messages here at all: /stop',
  askUnlink: 'Unlink this chat? No messages will come here, and you cannot send from here any more.',
  unlinked: 'Unlinked. You need a new code to come back.',
  unlinkOnPage: 'Operators and admins unlink a chat on their own page, not here.',
  noHistory: 'You have not sent anything yet.',
  history: (lines) => ['Your latest messages:', '', ...lines].join('\n'),
  textGone: wordsIn('en').textGone,
  historyLine: (when, history, text, to) =>
    [`${when} · ${outcomeWords('en', history).short}`, ...(to.length > 0 ? [`To: ${quoted(to)}.`] : []), text, ''].join(
      '\n',
    ),
  askToCancel: (text) => `Cancel this message? It cannot be brought back.\n\n${text}`,
  askWhomAgain: (text) => `Send it again: to whom?\n\n${text}`,
  nobodyMissed: 'There is nobody left to send it to. Look at the message again.',
  pick: {
    cancel: 'Which message shall I cancel?',
    reschedule: 'Which message shall I move?',
    repeat: 'Which message shall I send again?',
    waiting: 'Somebody waits for one of these messages. Which?',
  },
  nothingToPick: {
    cancel: 'There is nothing to cancel.',
    reschedule: 'There are no scheduled messages.',
    repeat: 'You have not sent anything yet.',
    waiting: 'Nobody waits.',
  },
  cancelled: (outcome) =>
    outcome === 'cancelled' ? 'Cancelled; nobody got it.' : 'Stopping; whoever has it already, has it.',
  sentToWaiting: (number, inQuietHours) =>
    number === 0
      ? 'Nobody waits any more.'
      : `On its way to ${people(number)}. ${inQuietHours ? 'Who has quiet hours of their own waits for their end.' : 'Quiet hours are kept.'}`,
  cancelledForWaiting: (number) =>
    number === 0
      ? 'Nobody waits any more.'
      : `Cancelled for ${people(number)} who waited; nothing changes for the others.`,
  rescheduled: (moment) => `Moved to ${moment}.`,
}

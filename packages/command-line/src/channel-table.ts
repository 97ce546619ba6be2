/** The channels in a table, and what is to be said of their couriers. */
import type { ChannelList, ChannelView } from '@courier-fleet/api-types'
import { settingsUseWords } from '@courier-fleet/words'
import type { Look } from './style.ts'
import { plain, table } from './table.ts'

export const stuckOf = ({ overdue, channels }: ChannelList) =>
  [overdue, ...channels.map(({ backlog }) => backlog)].filter((each) => each.stuck)

/** @param rates people a second on each channel, where they are known */
export function channelsText(list: ChannelList, look: Look, rates?: ReadonlyMap<string, number>): string {
  const head = [
    'channel',
    'state',
    'couriers ready',
    'people waiting',
    'in progress',
    'unclaimed',
    'oldest',
    'answers, half / 99 %',
  ]
  const rows = list.channels.map((view) => {
    const rate = rates ? [(rates.get(view.channel) ?? 0).toFixed(1)] : []
    return [...rowOf(view), ...rate, ...(rates ? [allowedOf(view)] : [])]
  })
  return [
    table([[...head, ...(rates ? ['people/s', 'allowed/s'] : [])], ...rows], { numbersFrom: 2 }),
    ...classLines(list),
    ...list.channels.flatMap(({ couriers }) => couriers.flatMap((each) => whyNotReady(each, look))),
    ...list.channels.flatMap(({ couriers }) => couriers.flatMap(howTuned)),
    ...list.channels.flatMap(({ couriers }) => couriers.flatMap((each) => accountLines(each, look))),
    ...list.channels.flatMap(byAccount),
    ...settingsUseWords('en', list.settings, look.moment).map(plain),
  ].join('\n')
}

/** `fleet top` says it in sentences. */
export const stuckLines = (list: ChannelList, { colours }: Look): string[] =>
  stuckOf(list).map(({ reason }) => colours.red(`STUCK: ${plain(reason ?? 'deliveries overdue')}`))

function rowOf(view: ChannelView) {
  const { channel, ready, couriers, backlog, paused: held } = view
  const byProvider = backlog.pausedForMs > 0 ? `paused for ${seconds(backlog.pausedForMs)}` : undefined
  const paused = held ? `paused by ${held.pausedBy}` : byProvider
  const state = paused ?? (ready ? 'ready' : 'not ready')
  const { waiting, inProgress, unclaimed, oldestUnclaimedMs } = backlog
  const readyCouriers = couriers.filter((courier) => courier.ready && !courier.silent).length
  return [
    channel,
    state,
    `${readyCouriers} of ${couriers.length}`,
    waiting,
    inProgress,
    unclaimed,
    seconds(oldestUnclaimedMs),
    answersOf(view),
  ]
}

/** Of each class that has anybody: who waits, how long the allowed rate takes for them, what part of it was theirs, and what its weight gives it while all wait. */
function classLines({ channels }: ChannelList): string[] {
  const rows = channels.flatMap(({ channel, classes }) => {
    const weights = classes.reduce((sum, { weight }) => sum + weight, 0)
    return classes
      .filter(({ waiting, lastMinute }) => waiting + lastMinute > 0)
      .map(({ class: cls, waiting, atLeast, takesMs, lastMinute, share, weight }) => [
        cls,
        channel,
        waiting === 0 && !atLeast ? 0 : `${atLeast ? '≥' : '≤'} ${waiting}`,
        takesMs === undefined ? '–' : seconds(takesMs),
        lastMinute,
        share === undefined ? '–' : percent(share),
        percent(weight / weights),
        weight,
      ])
  })
  if (rows.length === 0) return []
  const head = ['class', 'channel', 'people waiting', 'takes', 'last minute', 'share', 'by weight', 'weight']
  return ['', table([head, ...rows], { numbersFrom: 2 }), '']
}

/** The rate is of the account: its couriers share it. */
function allowedOf({ couriers }: ChannelView): string {
  const rates = couriers.flatMap(({ pace }) => pace?.perSecond ?? [])
  return rates.length === 0 ? '–' : String(Math.max(...rates))
}

function whyNotReady({ name, notReady }: ChannelView['couriers'][number], { colours, moment }: Look): string[] {
  if (!notReady) return []
  return [colours.yellow(`${name} is not ready since ${moment(notReady.since)}: ${plain(notReady.why)}`)]
}

/** Of each account whether it works, and what it carries. */
function accountLines({ name, accounts = [] }: ChannelView['couriers'][number], { colours, moment }: Look): string[] {
  return accounts.map(({ state, trouble, prefixes, lastLeftAlone, ...each }) => {
    const carries = prefixes.length > 0 ? ` (${prefixes.join(', ')})` : ''
    const who = plain(`${name}, ${each.name} account${carries}`)
    const before = lastLeftAlone
      ? `; was left alone ${moment(lastLeftAlone.since)} to ${moment(lastLeftAlone.until)}: ${plain(lastLeftAlone.why)}`
      : ''
    if (!trouble) return `${who} works${before}`
    const what = state === 'left-alone' ? 'is left alone' : 'is not connected'
    return colours.yellow(`${who} ${what} since ${moment(trouble.since)}: ${plain(trouble.why)}${before}`)
  })
}

/** Who went by each account, of all couriers together, and whether it asks them to wait. */
function byAccount({ channel, accounts = [] }: ChannelView): string[] {
  return accounts.map(({ name, people: { own, takenOver }, pausedForMs, perSecond }) => {
    const others = takenOver > 0 ? `, ${takenOver} of them in the place of another account` : ''
    const allowed = perSecond === undefined ? '' : `; ${perSecond} a second allowed`
    const paused = pausedForMs > 0 ? `; asks to wait for ${seconds(pausedForMs)}` : ''
    return plain(`${channel}, ${name} account: ${own + takenOver} people went by it${others}${allowed}${paused}`)
  })
}

/** Of several couriers the slowest. */
function answersOf({ couriers }: ChannelView): string {
  const times = couriers.flatMap(({ lately }) => lately?.answerMs ?? [])
  if (times.length === 0) return '–'
  const slowest = (of: 'median' | 'p99') => `${(Math.max(...times.map((each) => each[of])) / 1000).toFixed(2)}`
  return `${slowest('median')} / ${slowest('p99')} s`
}

function howTuned({ name, pace, startedWith }: ChannelView['couriers'][number]): string[] {
  if (!pace || !startedWith) return []
  const names = ['batchSize', 'concurrency', 'window', 'perSecond'] as const
  const changed = names.filter((each) => pace[each] !== startedWith[each])
  const words = changed.map((each) => `${each} ${pace[each] ?? 'off'} (started with ${startedWith[each] ?? 'off'})`)
  return words.length === 0 ? [] : [`${name}: ${words.join(', ')}`]
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
